import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createApi } from './api.js';
import { openDatabase } from './database.js';
import { createSignIn } from './members.js';
import { homePage, signInPage, welcomePage } from './pages.js';
import { passOn } from './pass-on.js';
import { readBody } from './read-body.js';
import { createSignInLimit } from './sign-in-limit.js';
import { viewerToken } from './viewer-token.js';

/** The rest of the body is not read, so the connection ends. */
const tooLong = { status: 413, body: 'Too long.', headers: { Connection: 'close' } };

const types = { css: 'text/css', js: 'text/javascript' };

/**
 * Opens the site: pages with sessions of its own, its API, and /gantry/ forwarded to `gantry
 * proxy`.
 */
export async function openSite({ port, url, api: origin, gantry }) {
  const db = openDatabase();
  const api = createApi(db, { origin });
  const members = await createSignIn(db);
  const limit = createSignInLimit(db);
  const key = process.env.GANTRY_VIEWER_KEY;

  /** Sets the cookie that names the signed-in member to Gantry. */
  function viewerCookie(member) {
    const value = member ? `${viewerToken({ member: member.id, url, key })}; Max-Age=300` : '; Max-Age=0';
    return `gantry_viewer_${new URL(url).port}=${value}; Path=/; HttpOnly; SameSite=Lax`; // over https: __Host-gantry_viewer, and Secure
  }

  const pages = {
    'GET /': ({ member }) => ({ body: member ? homePage(member) : welcomePage(), cookies: [viewerCookie(member)] }),
    'GET /sign-in': ({ back }) => ({ body: signInPage({ back }) }),
    async 'POST /sign-in'({ incoming, back }) {
      const body = await readBody(incoming, 10_000);
      if (body === undefined) return tooLong;
      const form = new URLSearchParams(body);
      const [name, password] = ['name', 'password'].map((field) => form.get(field) ?? '');
      const { remoteAddress } = incoming.socket; // behind a reverse proxy: the address that it passes on
      if (!limit.allows(name, remoteAddress)) return { status: 429, body: signInPage({ back, isLimited: true }) };
      const token = await members.signIn(name, password);
      if (!token) return { status: 401, body: signInPage({ back, isWrong: true }) };
      limit.forget(name, remoteAddress);
      return { location: back, cookies: [`sid=${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax`] };
    },
    'POST /sign-out'({ token }) {
      members.signOut(token);
      return { location: `${url}/`, cookies: ['sid=; Path=/; Max-Age=0', viewerCookie(undefined)] };
    },
    // A page that stays open asks for this every four minutes.
    'POST /refresh-viewer': ({ member }) => ({ status: 204, cookies: [viewerCookie(member)] }),
  };

  async function answerPage(incoming) {
    const { pathname, searchParams } = new URL(incoming.url, url);
    const file = /^\/public\/([a-z-]+\.(css|js))$/.exec(pathname);
    if (file) {
      const body = readFileSync(join(import.meta.dirname, 'public', file[1]));
      return { body, type: types[file[2]] };
    }
    const page = pages[`${incoming.method} ${pathname}`];
    if (!page) return { status: 404, body: 'There is nothing here.' };
    // A form of another site would act for the signed-in member.
    if (incoming.method !== 'GET' && incoming.headers.origin !== url)
      return { status: 403, body: 'Not from this site.' };
    const token = /(?:^|; )sid=([\w-]+)/.exec(incoming.headers.cookie ?? '')?.[1];
    return page({
      incoming,
      token,
      member: members.memberOf(token),
      back: ownAddress(searchParams.get('return') ?? '/'),
    });
  }

  /** Returns an absolute address of this site, since a path of its own may begin with //. */
  function ownAddress(back) {
    const address = URL.canParse(back, url) ? new URL(back, url) : undefined;
    return address?.origin === url ? address.href : `${url}/`;
  }

  const scripts = ['/gantry/container.js', '/gantry/chunks/', '/public/'].map((path) => url + path).join(' ');
  const policy = `default-src 'self'; script-src ${scripts}; frame-src ${url}/gantry/apps/; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url.startsWith('/gantry/')) return passOn(incoming, outgoing, gantry);
    if (api.serves(incoming)) return api.answer(incoming, outgoing);
    const answered = await answerPage(incoming).catch((error) => {
      console.error(error);
      return { status: 500, body: 'Something went wrong.' };
    });
    const { body = '', location, status = location ? 303 : 200, type = 'text/html', cookies = [], headers } = answered;
    outgoing.writeHead(status, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Set-Cookie': cookies,
      ...(location && { Location: location }),
      ...headers,
    });
    outgoing.end(body);
  });
  await new Promise((resolve) => server.listen(port, resolve));
  return server;
}
