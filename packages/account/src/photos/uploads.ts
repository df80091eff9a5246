import { addPhoto, readSpace } from '@gantry/service/account';
import { type HttpResponse, SocialError, shownName } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { name as nameOf } from '../html/blocks.ts';
import { failureText } from '../html/failure.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { ItemRequest } from '../request/page-request.ts';
import { paths } from './paths.ts';
import { requireAlbum } from './require-item.ts';

const mib = 2 ** 20;

/** Takes photos into an album: one as the body of PUT, or several in a form. */
export const uploads: PageMethods<ItemRequest> = {
  takesFiles: true,
  get: async ({ id }) => seeOther(paths.album(id)),
  async put(request) {
    const { context, http, settings, query, texts } = request;
    if (Number(http.headers.get('content-length') ?? 0) > settings.photoMegabytes * mib) {
      throw new SocialError('TOO_LARGE', texts.say('image_too_large', { megabytes: settings.photoMegabytes }));
    }
    await requireRoom(request);
    const name = query.get('name') ?? '';
    const id = await context.receiveUpload(request, (source) => add(request, { name, source }));
    return {
      status: 201,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: JSON.stringify({ entry: { id } }),
    };
  },
  async post(request) {
    await requireRoom(request);
    const problems: Problem[] = [];
    let added = 0;
    for await (const file of request.files) {
      try {
        await add(request, { name: file.name, source: file.content });
        added++;
      } catch (error) {
        if (!(error instanceof SocialError) || error.status >= 500) throw error;
        problems.push({ name: file.name, message: failureText(error, request) });
      }
    }
    if (added > 0 && problems.length === 0) return seeOther(`${paths.album(request.id)}?added=${added}`);
    return incompletePage(request, { added, problems });
  },
};

async function add(
  request: ItemRequest,
  { name, source }: { readonly name: string; readonly source: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { context, id: albumId, member, settings } = request;
  const id = await addPhoto(context, source, {
    memberId: member.id,
    albumId,
    title: captionFrom(name),
    most: { photos: settings.photosPerAlbum, bytes: settings.memberMegabytes * mib },
    maxBytes: settings.photoMegabytes * mib,
  });
  if (id !== undefined) return id;
  // If no limit is reached yet, the photo is too large for the space that is left.
  await requireRoom(request);
  throw outOfSpace(request);
}

/** @throws SocialError FORBIDDEN if the album or the member's space is full. */
async function requireRoom(request: ItemRequest): Promise<void> {
  const { context, member, settings, texts } = request;
  const { photos } = await requireAlbum(request);
  if (photos >= settings.photosPerAlbum) {
    throw new SocialError('FORBIDDEN', texts.say('album.full', { count: settings.photosPerAlbum }));
  }
  const { bytes } = await readSpace(context, member.id);
  if (bytes >= settings.memberMegabytes * mib) throw outOfSpace(request);
}

/** Returns a caption from a file's name: without folders, ending and invisible characters. */
function captionFrom(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  const text = last.toWellFormed().replace(/\.[A-Za-z0-9]{1,5}$/, '');
  return shownName(Array.from(text.trim()).slice(0, 100).join('')).trim();
}

function outOfSpace({ settings, texts }: ItemRequest): SocialError {
  return new SocialError('FORBIDDEN', texts.say('upload.noRoom', { megabytes: settings.memberMegabytes }));
}

interface Problem {
  readonly name: string;
  readonly message: string;
}

function incompletePage(
  request: ItemRequest,
  { added, problems }: { readonly added: number; readonly problems: readonly Problem[] },
): Promise<HttpResponse> {
  const { id, texts } = request;
  const content = html`<div class="card"><h1>${texts.say(added === 0 ? 'upload.noneAdded' : 'upload.notAll')}</h1>
${
  problems.length === 0
    ? html`<p class="lead">${texts.say('upload.chooseFirst')}</p>`
    : html`<ul class="uploads">${problems.map(
        ({ name, message }) => html`<li>${nameOf(name)}<span class="wrong">${message}</span></li>`,
      )}</ul>`
}
<div class="actions"><a class="button" href="${paths.album(id)}">${texts.say('album.back')}</a></div></div>`;
  return accountPage(request, {
    status: 400,
    title: texts.say('upload.notAll'),
    current: paths.albums,
    content,
    width: 'narrow',
  });
}
