import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { addConsumer } from '@gantry/service';
import { gantryPaths } from '@gantry/wire';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderForFile, folderForTest } from '../../wire/test/temporary-folder.ts';
import { createGantry, type Gantry } from '../src/index.ts';

const data = folderForFile();
let gantry: Gantry;
beforeAll(async () => {
  gantry = await createGantry({
    data,
    database: join(data, 'gantry.db'),
    url: 'http://localhost:4400',
    appsHost: 'http://*.apps.localhost:4400',
    viewer: async () => '1',
    site: async () => new Response('the site'),
    log: pino({ level: 'silent' }),
  });
});
afterAll(() => gantry.close());

function get(url: string): Promise<Response> {
  return gantry.fetch(new Request(url));
}

test.each([
  ['http://localhost:4400/', 200, 'the site’s own page'],
  ['http://localhost:4400/healthz', 200, 'liveness'],
  ['http://localhost:4400/readyz', 200, 'readiness'],
  ['http://localhost:4400/social/rest/people/@me/@self', 401, 'the API'],
  ['http://localhost:4400/social/rpc', 405, 'JSON-RPC'],
  ['http://localhost:4400/rpc', 405, 'its other dialect'],
  ['http://localhost:4400/openapi.json', 200, 'what describes the API'],
  ['http://localhost:4400/reference', 200, 'the same for people'],
  ['http://localhost:4400/rpcs', 200, 'a page of the site'],
  ['http://127.0.0.1:4400/rpc', 405, 'clients may sign either'],
  ['http://localhost:4400/rpc/x', 404, 'nothing below it'],
  ['http://localhost:4400/oauth/request_token', 401, 'OAuth'],
  ['http://localhost:4400/oauth/callback', 200, 'a page of the site, which may sign members in elsewhere'],
  ['http://localhost:4400/admin/oauth/access_token', 401, 'OAuth for administrators'],
  ['http://127.0.0.1:4400/oauth/request_token', 401, 'clients may sign either'],
  ['http://localhost:4400/opensocial/certificates', 200, 'the public key'],
  ['http://localhost:4400/opensocial/nothing', 404, 'nothing beside it'],
  ['http://evil.example/oauth/request_token', 421, 'another host for OAuth'],
  ['http://localhost:4400/gantry/apps/none/index.html', 404, 'the proxy'],
  ['http://127.0.0.1:4400/', 307, 'another name of this machine leads to the public one'],
  ['http://127.0.0.1:4400/social/rest/people/@me/@self', 401, 'clients may sign either'],
  ['http://127.0.0.1:4401/', 421, 'another port'],
  ['http://evil.example/', 421, 'another host'],
  ['http://evil.example/social/rest/people/@me/@self', 421, 'another host for the API'],
  ['http://evil.example/social/rest/nothing', 421, 'the host comes before the route'],
  ['http://localhost:4400/social/rest/nothing', 404, 'the route before OAuth'],
  ['http://a1.apps.localhost:4400/gantry/osapi.js', 200, 'the SDK beside an app, where it has been built'],
  ['http://a1.apps.localhost:4400/', 404, 'an app’s host has no site'],
  ['http://a1.apps.localhost:4400/social/rest/people/@me/@self', 404, 'nor the API'],
  ['http://a.b.apps.localhost:4400/gantry/osapi.js', 421, 'one label names an app'],
])('%s answers %d: %s (contract §4)', async (url, status) => {
  expect((await get(url)).status).toBe(status);
});

test('a request is enough: a redirect leads to its path and query', async () => {
  const answer = await gantry.fetch(new Request('http://127.0.0.1:4400/home?tab=1&q=a%20b#top'));
  expect(answer.headers.get('location')).toBe('http://localhost:4400/home?tab=1&q=a%20b');
});

test('a request is enough for a signature, whatever a framework passes after it', async () => {
  const { db, secretKey } = gantry.stores;
  const consumer = { key: 'reader', secret: 'reader-secret' };
  await addConsumer(db, { ...consumer, secretKey, kind: 'admin', anyMember: true });
  await gantry.saveRecords([{ kind: 'member', id: '1', displayName: 'Ada' }]);
  const target = '/social/rest/people/1/@self?xoauth_requestor_id=1&fields=id%2CdisplayName&q=%27%20x';
  const ask = (framework?: unknown) => {
    const signed = { method: 'GET', url: `http://localhost:4400${target}`, consumer };
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = signRequest({ ...signed, timestamp, nonce: crypto.randomUUID() });
    return gantry.fetch(new Request(signed.url, { headers }), framework);
  };
  expect((await ask()).status).toBe(200);
  expect((await ask({ params: {} })).status).toBe(200);
  expect((await ask('/social/rest/people/1/@self?xoauth_requestor_id=1')).status).toBe(401); // the raw target counts
});

test('another host for the API is refused in XML for XML and Atom requests (contract §4)', async () => {
  const ask = async (query: string) => {
    const target = `/social/rest/people/@me/@self${query}`;
    const answer = await gantry.fetch(new Request(`http://evil.example${target}`));
    return [
      answer.status,
      answer.headers.get('content-type'),
      (await answer.text()).replace(/<message>.*<.message>/, ''),
    ];
  };
  const xml = '<?xml version="1.0" encoding="UTF-8"?>\n<response><error><code>421</code></error></response>';
  expect(await ask('?format=xml')).toEqual([421, 'application/xml; charset=utf-8', xml]);
  expect(await ask('?format=atom')).toEqual([421, 'application/xml; charset=utf-8', xml]);
  expect((await ask(''))[1]).toBe('application/json; charset=utf-8');
});

test.each([
  ['http://social.example/', 200],
  ['http://social.example/social/rest/people/@me/@self', 401],
  ['http://10.0.0.7/healthz', 200],
  ['http://10.0.0.7/', 421],
])(
  'behind a reverse proxy that ends TLS, %s answers %d, and a refused host is logged once with its cure',
  async (url, status) => {
    const lines: string[] = [];
    const behind = await createGantry({
      data,
      database: join(data, 'gantry.db'),
      url: 'https://social.example',
      viewer: async () => undefined,
      site: async () => new Response('the site'),
      log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    });
    expect((await behind.fetch(new Request(url))).status).toBe(status);
    await behind.fetch(new Request(url));
    const cure = /"host":"10\.0\.0\.7".*answers for https:\/\/social\.example: .*GANTRY_URL.*pass the Host header/;
    expect(lines).toEqual(status === 421 ? [expect.stringMatching(cure)] : []);
    await behind.close();
  },
);

test('a fault of ours is a 500 that says nothing about itself', async () => {
  const failing = await createGantry({
    data,
    database: join(data, 'gantry.db'),
    url: 'http://localhost:4400',
    viewer: async () => undefined,
    site: async () => {
      throw new Error('secret detail');
    },
    log: pino({ level: 'silent' }),
  });
  const answer = await failing.fetch(new Request('http://localhost:4400/'));
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { error: { code: 500, message: 'Something went wrong on our side.' } },
  ]);
  await failing.close();
});

test('a start that fails leaves its database closed', async () => {
  const folder = folderForTest();
  const isOpen = (file: string) => existsSync(`${file}-wal`); // the last close removes it
  await writeFile(join(folder, 'site-key.pem'), 'no key');
  const starting = createGantry({
    data: folder,
    database: join(folder, 'gantry.db'),
    url: 'http://localhost:4400',
    log: pino({ level: 'silent' }),
  });
  await expect(starting).rejects.toThrow('not a private key');
  expect([isOpen(join(data, 'gantry.db')), isOpen(join(folder, 'gantry.db'))]).toEqual([true, false]);
});

test('the list of paths that Gantry serves is the one it routes by: none reaches the site', async () => {
  for (const path of gantryPaths.flatMap((root) => [root, `${root}/x`])) {
    expect([path, await (await get(`http://localhost:4400${path}`)).text()]).not.toEqual([path, 'the site']);
  }
  for (const path of gantryPaths.map((root) => `${root}s`)) {
    expect([path, await (await get(`http://localhost:4400${path}`)).text()]).toEqual([path, 'the site']);
  }
});
