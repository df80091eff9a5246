import { readdir } from 'node:fs/promises';
import type { AccountOptions } from '@gantry/account';
import type { Database } from '@gantry/store';
import { publicUrl } from '../../../service/test/site.ts';
import {
  type AccountSite,
  type Browser,
  hiddenFields,
  openAccountSite,
  openReader,
  type Shown,
  signIn,
} from '../account-site.ts';

/** A signed-in member of the village with an album, and what their browser does with photos. */
export interface PhotoSite {
  readonly site: AccountSite;
  readonly browser: Browser;
  /** Id of the album. */
  readonly album: string;
  /** Sends one file as the script of the album's page does. */
  put(body: BodyInit | ReadableStream<Uint8Array>, sending?: Sending): Promise<Shown>;
  /** Sends a body as the form of the album's page does. */
  post(form: BodyInit, type?: string): Promise<Shown>;
  tokenOf(album: string): Promise<string>;
  /** Sends the form as a browser without scripts does. */
  send(files: readonly File[]): Promise<Shown>;
  /** Files of the media folder, without drafts; and whether drafts are left. */
  files(): Promise<{ readonly kept: readonly string[]; readonly drafts: readonly string[] }>;
}

export interface Sending {
  readonly name?: string;
  readonly album?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export async function makeAlbum(browser: Browser, visibility = 'site'): Promise<string> {
  const form = await browser.get('/account/photos/new-album');
  const made = await browser.submit(form, '/account/photos/new-album', {
    title: 'Harbour',
    description: '',
    visibility,
  });
  return made.location?.split('/').at(-1) ?? '';
}

export async function openPhotoSite(
  open: () => Promise<Database>,
  options: Partial<AccountOptions> = {},
): Promise<PhotoSite> {
  return photoBrowser(await openAccountSite(open, options), '1');
}

/** Signs a member in, with an album of their own. */
export async function photoBrowser(site: AccountSite, memberId: string): Promise<PhotoSite> {
  const browser = openReader(site);
  await signIn(browser, memberId);
  const album = await makeAlbum(browser);

  async function handle(path: string, init: RequestInit, address?: string): Promise<Shown> {
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: publicUrl, 'sec-fetch-site': 'same-origin', ...init.headers };
    const whole = { ...init, headers, duplex: 'half' }; // streams need `duplex`, which the types lack
    const answer = await site.account.handle(new Request(publicUrl + path, whole), { address });
    return { ...answer, text: String(answer.body ?? ''), location: answer.headers.location };
  }

  async function tokenOf(id: string): Promise<string> {
    const page = await browser.get(`/account/photos/album/${id}`);
    return hiddenFields(page.text, `/account/photos/album/${id}/upload`).form_token ?? '';
  }

  function post(body: BodyInit, type?: string): Promise<Shown> {
    const headers = type === undefined ? {} : { 'content-type': type };
    return handle(`/account/photos/album/${album}/upload`, { method: 'POST', body, headers });
  }

  return {
    site,
    browser,
    album,
    post,
    tokenOf,
    async put(body, { name = 'photo.jpg', album: id = album, headers = {}, address } = {}) {
      const query = new URLSearchParams({ name });
      const token = headers['x-form-token'] ?? (await tokenOf(id));
      const init = { method: 'PUT', body, headers: { 'x-form-token': token, ...headers } };
      return handle(`/account/photos/album/${id}/upload?${query}`, init, address);
    },
    async send(files) {
      const form = new FormData();
      form.set('form_token', await tokenOf(album));
      for (const file of files) form.append('photos', file);
      return post(form);
    },
    async files() {
      const names = await readdir(site.mediaFolder);
      const drafts = names.includes('.drafts') ? await readdir(`${site.mediaFolder}/.drafts`) : [];
      return { kept: names.filter((name) => !name.startsWith('.')), drafts };
    },
  };
}
