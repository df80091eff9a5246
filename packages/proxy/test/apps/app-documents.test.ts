import { execFileSync } from 'node:child_process';
import { rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { registerApp } from '../register-app.ts';
import { openSite, secretKey, siteUrl, writeFiles } from '../site.ts';

const site = await openSite();

test("an app's page comes with the headers of security rule 5", async () => {
  const response = await site.get('/gantry/apps/friends/index.html');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<!doctype html><title>Friends</title>');
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
    'connection-allowlist': '(response-origin "https://images.example")',
    'content-length': '37',
    'content-security-policy': expect.stringMatching(/^sandbox allow-scripts allow-forms; default-src 'none'; /),
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-embedder-policy': 'credentialless',
    'cross-origin-resource-policy': 'cross-origin',
    etag: expect.stringMatching(/^"[\w-]+"$/),
    'permissions-policy': expect.stringContaining('camera=()'),
    'referrer-policy': 'no-referrer',
    vary: 'Sec-Fetch-Dest, Sec-Fetch-Mode, Accept-Encoding',
    'x-content-type-options': 'nosniff',
  });
});

test('a picture is sandboxed as well, since it can be opened in a tab', async () => {
  const response = await site.get('/gantry/apps/friends/pages/a%20b.svg');
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(response.headers.get('content-security-policy')).toContain('sandbox allow-scripts allow-forms;');
});

test('HEAD is GET without body', async () => {
  const response = await site.proxy.handle(
    new Request(`${siteUrl}/gantry/apps/friends/index.html`, { method: 'HEAD' }),
  );
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '37', '']);
});

test('a known page is not sent again, but its headers are', async () => {
  const etag = (await site.get('/gantry/apps/friends/index.html')).headers.get('etag') ?? '';
  const response = await site.get('/gantry/apps/friends/index.html', { 'if-none-match': `"other", W/${etag}` });
  expect([response.status, await response.text()]).toEqual([304, '']);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect((await site.get('/gantry/apps/friends/index.html', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('a page whose policy changed is sent again, though its file did not', async () => {
  const ask = async (hosts: readonly string[], etag = '') => {
    const { get } = await openSite({ mediaOrigins: hosts });
    return get('/gantry/apps/friends/index.html', { 'if-none-match': etag });
  };
  const wide = await ask(['https://photos.example']);
  const etag = wide.headers.get('etag') ?? '';
  expect((await ask(['https://photos.example'], etag)).status).toBe(304); // another process and folder
  const mended = await ask([], etag);
  expect([mended.status, mended.headers.get('content-security-policy')?.includes('photos')]).toEqual([200, false]);
});

test('films are sent in parts, with the headers of security rule 5', async () => {
  const folder = folderForTest();
  await writeFiles(folder, { 'film.mp4': '0123456789' });
  const registration = { manifest: { name: 'Film', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'film', folder, ...registration });
  const part = await site.get('/gantry/apps/film/film.mp4', { range: 'bytes=2-4' });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
  const beyond = await site.get('/gantry/apps/film/film.mp4', { range: 'bytes=10-' });
  expect([beyond.status, await beyond.text()]).toEqual([416, '']);
  for (const { headers } of [part, beyond]) {
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'Sec-Fetch-Dest, Sec-Fetch-Mode']);
  }
});

test.each([
  '',
  'pages',
  'pages/',
  'missing.html',
  'index.html/',
  '/index.html',
  'pages//a%20b.svg',
  '.env',
  '.git/config',
  '%2eenv',
  '%2Fetc%2Fpasswd',
  '..%2Foutside%2Fsecret.html',
  '..%2foutside/secret.html',
  '%2e%2e%2foutside/secret.html',
  '..%5Coutside%5Csecret.html',
  '..\\outside\\secret.html',
  'pages/..%2F..%2Foutside%2Fsecret.html',
  '%252e%252e/outside/secret.html',
  '..%c0%af..%c0%afoutside/secret.html',
  'index.html%00.png',
  'index.html%00',
  '%',
  '%zz',
  'C:%5Cwindows%5Cwin.ini',
  'index.html::$DATA',
  '....//outside/secret.html',
])('apps/friends/%s is not there', async (path) => {
  const response = await site.get(`/gantry/apps/friends/${path}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toMatch(/outside|\/tmp|ENOENT/);
});

test.each(['unknown', '..', '%2e%2e', '__proto__', 'friends%2F..%2Fnotes', 'FRIENDS', '%', 'elsewhere'])(
  'apps/%s/index.html is no app that we serve',
  async (id) => {
    expect((await site.get(`/gantry/apps/${id}/index.html`)).status).toBe(404);
  },
);

const served = [
  'index.html',
  'a.js',
  'b/c.mjs',
  'd.css',
  'e.json',
  'f.PNG',
  'g.woff2',
  'h.mp3',
  'i.wasm',
  'b/test/x.js',
];
const unserved = [
  ...[
    'app.gadget.mjs',
    'app.gadget.js',
    'app.stories.js',
    'app.Test.mjs',
    'app.spec.js',
    'vite.config.js',
    'tests/x.js',
    'e2e/x.html',
  ],
  ...['key.pem', 'id_rsa', 'README.md', 'a.ts', 'data.sqlite', 'a.js.bak', 'a.js~', 'app.zip', 'a.env', 'a.toml'],
  ...['package.json', 'Package.JSON', 'package-lock.json', 'b/tsconfig.app.json', 'composer.json', 'deno.json'],
  ...['node_modules/lit/index.js', 'b/node_modules/lit/index.js', 'b/Node_Modules/x.css', '.env', '.git/x.js'],
];

test('an app’s folder serves what a page can load, and nothing that is for authors', async () => {
  const folder = folderForTest();
  await writeFiles(folder, Object.fromEntries([...served, ...unserved].map((name) => [name, 'text'])));
  await symlink('key.pem', join(folder, 'key.js'));
  await symlink('node_modules/lit', join(folder, 'lit'));
  await symlink('a.js', join(folder, 'same.js'));
  const registration = { manifest: { name: 'Own', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'own-files', folder, ...registration });
  const status = async (path: string) => (await site.get(`/gantry/apps/own-files/${path}`)).status;
  const codes = async (paths: readonly string[]) => Promise.all(paths.map(async (path) => [path, await status(path)]));
  expect(await codes(unserved)).toEqual(unserved.map((path) => [path, 404]));
  expect(await codes(['key.js', 'lit/index.js'])).toEqual([
    ['key.js', 404],
    ['lit/index.js', 404],
  ]);
  expect(await codes([...served, 'same.js'])).toEqual([...served, 'same.js'].map((path) => [path, 200])); // control
});

test('a link may point inside of the folder, never outside', async () => {
  const folder = folderForTest();
  await writeFiles(folder, {
    'app/index.html': 'page',
    'app/real.js': 'real',
    'secret.txt': 'outside',
    'app-2/x.txt': 'sibling',
  });
  await symlink('real.js', join(folder, 'app/inside.js'));
  await symlink('../secret.txt', join(folder, 'app/out.txt'));
  await symlink('..', join(folder, 'app/up'));
  await symlink('../app-2', join(folder, 'app/sibling'));
  const registration = { manifest: { name: 'Links', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'links', folder: join(folder, 'app'), ...registration });
  const status = async (path: string) => (await site.get(`/gantry/apps/links/${path}`)).status;
  expect(await status('inside.js')).toBe(200);
  expect(await Promise.all(['out.txt', 'up/secret.txt', 'sibling/x.txt', 'up/app/index.html'].map(status))).toEqual([
    404, 404, 404, 200,
  ]);
});

test('a pipe, a socket and a folder in an app’s folder are no files, and hold up nothing (security rule 33)', async () => {
  const folder = folderForTest();
  await writeFiles(folder, { 'index.html': 'page', 'sub.js/x.js': '' });
  execFileSync('mkfifo', [join(folder, 'pipe.js')]);
  const server = createServer().listen(join(folder, 'socket.js'));
  const registration = { manifest: { name: 'Pipes', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'pipes', folder, ...registration });
  const status = async (path: string) => (await site.get(`/gantry/apps/pipes/${path}`)).status;
  // More than the process has threads for files: naively opened, none would be left for index.html.
  expect(await Promise.all(Array.from({ length: 8 }, () => status('pipe.js')))).toEqual(Array(8).fill(404));
  expect([await status('socket.js'), await status('sub.js'), await status('index.html')]).toEqual([404, 404, 200]);
  server.close();
});

test('an app without its folder is a 404 that does not name the folder', async () => {
  const folder = folderForTest();
  await writeFiles(folder, { 'index.html': 'page' });
  const registration = { manifest: { name: 'Gone', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(site.db, secretKey, { id: 'a:b', folder, ...registration });
  expect((await site.get('/gantry/apps/a%3Ab/index.html')).status).toBe(200);
  expect((await site.get('/gantry/apps/a:b/index.html')).status).toBe(200);
  await rename(folder, `${folder}-moved`);
  const response = await site.get('/gantry/apps/a%3Ab/index.html');
  expect([response.status, (await response.text()).includes('gantry-gone')]).toEqual([404, false]);
  await rm(`${folder}-moved`, { recursive: true });
});

test('paths below apps/ refuse every method but GET', async () => {
  const response = await site.proxy.handle(
    new Request(`${siteUrl}/gantry/apps/friends/index.html`, { method: 'POST' }),
  );
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test("one sandbox host serves every app, and the site's own host none (security rule 4)", async () => {
  const isolated = await openSite({ appsHost: 'http://sandbox.example' });
  const response = await isolated.get('http://sandbox.example/gantry/apps/friends/index.html');
  expect(response.status).toBe(200);
  expect(response.headers.get('origin-agent-cluster')).toBe('?1');
  expect(response.headers.get('connection-allowlist')).toBe(
    '(response-origin "http://site.example" "https://images.example")',
  );
  expect(response.headers.get('content-security-policy')).toContain(
    "script-src 'unsafe-inline' http://sandbox.example http://site.example https://images.example;",
  );
  expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors http:\/\/site\.example$/);
  expect((await isolated.get('/gantry/apps/friends/index.html')).status).toBe(421);
});

test('a host of its own serves its own app only (security rule 4)', async () => {
  const isolated = await openSite({ appsHost: 'http://*.apps.example' });
  const { document } = await isolated.mount({ app: 'friends' });
  expect((await isolated.get(document)).status).toBe(200);
  expect((await isolated.get(document.replace('/friends/', '/notes/'))).status).toBe(421);
  expect((await isolated.get('http://apps.example/gantry/apps/friends/index.html')).status).toBe(421);
  expect((await isolated.get('/gantry/apps/friends/index.html')).status).toBe(421);
});

const page = '/gantry/apps/friends/index.html';

test.each(['document', 'frame', 'embed', 'object', 'fencedframe', 'anything-new'])(
  'a navigation that is for %s shows nothing of the app, whatever the browser has kept (security rule 27)',
  async (destination) => {
    const etag = (await site.get(page)).headers.get('etag') ?? '';
    const response = await site.get(page, {
      'sec-fetch-dest': destination,
      'sec-fetch-mode': 'navigate',
      'if-none-match': etag,
    });
    const text = await response.text();
    expect([response.status, response.headers.get('vary')]).toEqual([403, 'Sec-Fetch-Dest, Sec-Fetch-Mode']);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(text).toContain('site.example');
    expect(text).not.toMatch(/friends/i);
  },
);

test.each([
  { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
  { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
  {}, // no browser, or plain http
])('frames, what they load, and clients that say nothing get the file: %o', async (headers) => {
  expect((await site.get(page, headers as Record<string, string>)).status).toBe(200);
});

test('an app with a host of its own has no page there either (security rule 27)', async () => {
  const isolated = await openSite({ appsHost: 'http://*.apps.example' });
  const { document } = await isolated.mount({ app: 'friends' });
  const top = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  expect((await isolated.get(document, top)).status).toBe(403);
});
