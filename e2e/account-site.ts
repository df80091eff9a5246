import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { OAuth } from 'oauth';

/** `gantry serve` alone: its own pages are the sign-in. */
export interface AccountSite {
  readonly url: string;
}

/** A consumer on the npm library `oauth`, with a callback page of its own. */
export interface Consumer {
  /** Address of its callback page. */
  readonly callback: string;
  /** Latest parameters of its callback page. */
  readonly called: () => URLSearchParams;
  client(options: { key: string; flow?: 'member' | 'admin'; callback?: string; method?: string }): Client;
}

export interface Token {
  readonly token: string;
  readonly secret: string;
}

export interface Client {
  requestToken(): Promise<Token>;
  accessToken(request: Token, verifier: string): Promise<Token>;
  /** Sends GET below the REST root. */
  get(path: string, access: Token): Promise<{ status: number; body: string }>;
  /** Address of the authorization page. */
  authorizeUrl(request: Token): string;
}

const world = {
  site: { name: 'Tern Quay' },
  members: [
    { id: '1', displayName: 'Ann Oyster', password: 'ann has a boat' },
    { id: '2', displayName: 'Bo Whelk', password: 'bo has a dog' },
    { id: '9', displayName: 'Harbour Master', password: 'master of the harbour', admin: true },
  ],
  friendships: [['1', '2']],
  consumers: [
    { key: 'printer', secret: 'printer-secret', kind: 'member', memberId: '2', title: 'Photo printer' },
    { key: 'backup', secret: 'backup-secret', kind: 'admin', memberId: '9', title: 'Nightly backup' },
    {
      key: 'evil',
      secret: 'evil-secret',
      kind: 'member',
      memberId: '2',
      title: '<img src=x onerror="document.title=1">',
    },
  ],
};

export const test = base.extend<
  { signIn: (member: string) => Promise<void> },
  { site: AccountSite; consumer: Consumer }
>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}, use) => {
      const data = await mkdtemp(join(tmpdir(), 'gantry-account-'));
      await writeFile(join(data, 'world.json'), JSON.stringify(world));
      execFileSync(process.execPath, [gantry, 'import', join(data, 'world.json'), '--data', data], { stdio: 'pipe' });
      const { server, url } = await serve(data);
      await use({ url });
      server.kill('SIGTERM');
      await once(server, 'exit');
      await rm(data, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  consumer: [
    async ({ site }, use) => {
      let last = new URLSearchParams();
      const server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://consumer');
        if (pathname === '/back') last = searchParams;
        response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><title>Consumer</title><h1>Welcome back</h1>');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/back`;
      await use({ callback, called: () => last, client: (options) => createClient(site, { callback, ...options }) });
      server.close();
    },
    { scope: 'worker' },
  ],
  signIn: async ({ page, site }, use) => {
    await use(async (member) => {
      await page.goto(`${site.url}/account/sign-in`);
      await page.getByLabel('Member ID').fill(member);
      await page.getByLabel('Password').fill(passwordOf(member));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${site.url}/account/apps`);
    });
  },
});
export { expect } from '@playwright/test';

export function passwordOf(member: string): string {
  return world.members.find(({ id }) => id === member)?.password ?? '';
}

const gantry = join(import.meta.dirname, '../packages/cli/bin/gantry.js');

async function serve(data: string): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [gantry, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of server.stdout.setEncoding('utf8')) {
    text += chunk;
    const url = /Gantry ready at (\S+)/.exec(text)?.[1];
    if (url) return { server, url };
  }
  throw new Error(`gantry serve ended before it was ready:\n${text}`);
}

function createClient(
  { url }: AccountSite,
  options: { key: string; flow?: 'member' | 'admin'; callback: string; method?: string },
): Client {
  const { key, flow = 'member', callback, method = 'HMAC-SHA1' } = options;
  const root = `${url}${flow === 'admin' ? '/admin' : ''}/oauth`;
  const endpoints = [`${root}/request_token`, `${root}/access_token`] as const;
  const oauth = new OAuth(...endpoints, key, `${key}-secret`, '1.0', callback, method);
  return {
    requestToken: () =>
      new Promise((resolve, reject) =>
        oauth.getOAuthRequestToken((error, token, secret) => (error ? reject(error) : resolve({ token, secret }))),
      ),
    accessToken: (request, verifier) =>
      new Promise((resolve, reject) =>
        oauth.getOAuthAccessToken(request.token, request.secret, verifier, (error, token, secret) =>
          error ? reject(error) : resolve({ token, secret }),
        ),
      ),
    get: (path, access) =>
      new Promise((resolve) =>
        oauth.get(`${url}/social/rest${path}`, access.token, access.secret, (error, body) =>
          resolve(error ? { status: error.statusCode, body: String(error.data) } : { status: 200, body: String(body) }),
        ),
      ),
    authorizeUrl: ({ token }) => `${root}/authorize?oauth_token=${token}`,
  };
}
