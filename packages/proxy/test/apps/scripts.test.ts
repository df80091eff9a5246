import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openSite } from '../site.ts';

const site = await openSite();

test('the SDK can be loaded by an opaque frame, as a module too (security rule 5)', async () => {
  const response = await site.get('/gantry/osapi.js');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  });
  expect(await response.text()).toMatch(/^globalThis\.osapi = \{\};/);
});

test('it is compressed as the browser likes, each form under its own strong ETag', async () => {
  const bytes = async (encoding: string) => {
    const response = await site.get('/gantry/osapi.js', { 'accept-encoding': encoding });
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
  };
  const plain = await bytes('identity, br;q=0');
  const zipped = await bytes('gzip, deflate');
  const brotli = await bytes('gzip, deflate, br');
  expect([plain, zipped, brotli].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br']);
  expect(gunzipSync(zipped.bytes)).toEqual(plain.bytes);
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  expect(new Set([plain, zipped, brotli].map(({ headers }) => headers.get('etag'))).size).toBe(3);
});

test('a script that the browser has is not sent again', async () => {
  const etag = (await site.get('/gantry/osapi.js')).headers.get('etag') ?? '';
  const response = await site.get('/gantry/osapi.js', { 'if-none-match': etag });
  expect([response.status, await response.text()]).toEqual([304, '']);
});

test('a script that was not built is a 404 with advice, and is found once it is there', async () => {
  const missing = await site.get('/gantry/container.js');
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({
    error: { message: 'This script has not been built: run npm run build.' },
  });
  await writeFile(site.scripts.container, 'first');
  expect(await (await site.get('/gantry/container.js')).text()).toBe('first');
  await writeFile(site.scripts.container, 'second');
  expect(await (await site.get('/gantry/container.js')).text()).toBe('second');
});

test('chunks of the container are served and cached for good, other files of the folder are not', async () => {
  const chunks = join(dirname(site.scripts.container), 'chunks');
  await mkdir(chunks);
  await writeFile(join(chunks, 'de-Ab_1.js'), 'export const de = {}');
  const response = await site.get('/gantry/chunks/de-Ab_1.js');
  expect([await response.text(), response.headers.get('cache-control')]).toEqual([
    'export const de = {}',
    'public, max-age=31536000, immutable',
  ]);
  for (const name of ['', 'other.js', '..%2Fcontainer.js', 'de-Ab_1.js.map', '.js']) {
    expect((await site.get(`/gantry/chunks/${name}`)).status, name).toBe(404);
  }
});

test('other paths below /gantry/ are 404', async () => {
  for (const path of ['/gantry/', '/gantry/osapi.js/', '/gantry/keys.json', '/gantry/instances/']) {
    expect((await site.get(path)).status).toBe(404);
  }
});
