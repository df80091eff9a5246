import { type Account, type AccountOptions, createAccount } from '@gantry/account';
import { createPasswords } from '@gantry/service';
import type { Database } from '@gantry/store';
import { passwordWrites } from '../../service/src/store/passwords.ts';
import { openSite, publicUrl, type Site, secretKey, village } from '../../service/test/site.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly location: string | undefined;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** As in `Client`. */
  readonly isDistinct?: boolean;
}

/** Browser on the account pages: keeps cookies, fills in forms, follows no redirects. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Shown>;
  post(path: string, fields: Readonly<Record<string, string>>, sending?: Sending): Promise<Shown>;
  /** Sends the form of a page that goes to `action`, with its hidden fields and these. */
  submit(shown: Shown, action: string, fields?: Readonly<Record<string, string>>, sending?: Sending): Promise<Shown>;
}

/**
 * @param beforePost Lets time pass, for example.
 * @param language Value of `Accept-Language`.
 */
export function openBrowser(
  account: Account,
  beforePost: () => void = () => undefined,
  language = 'en-GB,en;q=0.9',
): Browser {
  const cookies = new Map<string, string>();

  async function send(request: Request, client: Pick<Sending, 'address' | 'isDistinct'> = {}): Promise<Shown> {
    const { status, headers, body } = await account.handle(request, client);
    const [, name = '', value = '', maxAge] =
      /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(headers['set-cookie'] ?? '') ?? [];
    if (maxAge === '0') cookies.delete(name);
    else if (name !== '') cookies.set(name, value);
    return { status, headers, text: String(body ?? ''), location: headers.location };
  }

  const browser: Browser = {
    cookies,
    get: (path) =>
      send(new Request(publicUrl + path, { headers: { cookie: cookieHeader(cookies), 'accept-language': language } })),
    post: (path, fields, { headers = {}, ...client } = {}) => {
      beforePost();
      return send(
        new Request(publicUrl + path, {
          method: 'POST',
          headers: {
            cookie: cookieHeader(cookies),
            'accept-language': language,
            origin: publicUrl,
            'sec-fetch-site': 'same-origin',
            ...headers,
          },
          body: new URLSearchParams(fields),
        }),
        client,
      );
    },
    submit: (shown, action, fields = {}, sending = {}) =>
      browser.post(action, { ...hiddenFields(shown.text, action), ...fields }, sending),
  };
  return browser;
}

function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Hidden fields of the first form that goes to `action`. */
export function hiddenFields(text: string, action: string): Record<string, string> {
  const from = text.indexOf(`action="${action}"`);
  if (from === -1) throw new Error(`The page has no form for ${action}.`);
  const form = text.slice(from, text.indexOf('</form>', from));
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}

/** Tests check hundreds of passwords. */
const cheap = createPasswords({ cost: { logN: 4, r: 8, p: 1 } });

export interface AccountSite extends Site {
  readonly account: Account;
}

/** The village with member 9 as its administrator. Everybody's password is `pass` and their id. */
export async function openAccountSite(
  open: () => Promise<Database>,
  options: Partial<AccountOptions> = {},
): Promise<AccountSite> {
  const site = await openSite(open, village);
  await site.add({
    members: [{ id: '9', displayName: 'Root', admin: true }],
    consumers: [
      { key: 'printer', secret: 'secret', kind: 'member', memberId: '2', title: 'Photo printer' },
      { key: 'backup', secret: 'secret', kind: 'admin', memberId: '9', title: 'Backup' },
    ],
  });
  for (const memberId of ['1', '2', '3', '9', '10']) {
    const hash = await cheap.hash(`pass${memberId}`);
    await site.db.batch(passwordWrites({ memberId, hash, nowMs: site.nowMs }));
  }
  const now = () => site.nowMs;
  const account = createAccount({
    db: site.db,
    publicUrl,
    secretKey,
    mediaFolder: site.mediaFolder,
    passwords: cheap,
    now,
    ...options,
  });
  return Object.assign(site, { account });
}

/** The browser of a person, who looks at a page for half a second before they press a button. */
export function openReader(site: AccountSite, language?: string): Browser {
  const wait = () => {
    site.nowMs += 500;
  };
  return openBrowser(site.account, wait, language);
}

export async function signIn(browser: Browser, memberId: string, password = `pass${memberId}`): Promise<Shown> {
  return browser.submit(await browser.get('/account/sign-in'), '/account/sign-in', { member: memberId, password });
}
