import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { importWorld } from '@gantry/service';
import type { CallReply, Instance } from '@gantry/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { addApp, type RunningServer, readServerConfiguration, startServer } from '../../src/index.ts';
import { world } from '../running-site.ts';

// Over the wire, since a server hands calls of pages to the proxy without a `Request`.
const data = folderForFile();
let server: RunningServer;
let viewer: (request: Request) => Promise<string | undefined>;
beforeAll(async () => {
  const folder = join(data, 'board');
  await mkdir(folder);
  await writeFile(
    join(folder, 'gadget.json'),
    JSON.stringify({ name: 'Board', page: 'index.html', uses: ['people.get'] }),
  );
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Board</title>');
  server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data], {}),
    viewer: (request) => viewer(request),
    prepare: async (stores) => {
      await importWorld(stores.db, world, { ...stores, folder: data });
      await addApp(stores, { id: 'board', folder, trusted: true });
    },
  });
});
afterAll(() => server.close());

interface Told {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** Sends what the page of a site sends, `change` apart. */
function post(path: string, body: unknown, change: Record<string, string | undefined> = {}): Promise<Told> {
  const page = {
    'Content-Type': 'application/json',
    'Gantry-Container': '1',
    Origin: server.url,
    Host: new URL(server.url).host,
    ...change,
  };
  const headers = Object.fromEntries(Object.entries(page).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  request({ port: server.port, host: '127.0.0.1', path, method: 'POST', headers }, async (answer) => {
    resolve({ status: answer.statusCode, type: answer.headers['content-type'], text: await text(answer) });
  })
    .on('error', reject)
    .end(JSON.stringify(body));
  return promise;
}

async function mount(): Promise<Instance> {
  const { text } = await post('/gantry/instances', [{ app: 'board' }]);
  return JSON.parse(text)[0].ok;
}

function callsOf({ instance, token }: Instance, ids: readonly string[]): unknown {
  const calls = ids.map((id) => ({ id, instance, operation: 'people.get', params: { userId: '@viewer' } }));
  return { tokens: { [instance]: token }, calls };
}

test.each([
  ['of a page of the site', {}, 200],
  ['without Origin, of the same origin', { Origin: undefined, 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['of an opaque frame', { Origin: 'null' }, 403],
  ['of another site', { Origin: 'http://evil.example' }, 403],
  ['of the same site only', { Origin: undefined, 'Sec-Fetch-Site': 'same-site' }, 403],
  ['without any origin', { Origin: undefined }, 403],
  ['without our header', { 'Gantry-Container': undefined }, 403],
  ['of a form', { 'Content-Type': 'text/plain' }, 415],
  ['to an address of this machine', { Host: '127.0.0.1' }, 421],
  ['to another host', { Host: 'evil.example' }, 421],
])('a call %s, on the wire (security rule 10)', async (_, change, status) => {
  viewer = async () => '1';
  // The second goes the way of pages, as a `Request`.
  for (const path of ['/gantry/calls', '/gantry/calls?']) {
    expect((await post(path, callsOf(await mount(), ['a']), change)).status).toBe(status);
  }
});

test('one call and several are answered in the same way: a line of JSON for each', async () => {
  viewer = async () => '1';
  const gadget = await mount();
  for (const ids of [['a'], ['a', 'b', 'c']]) {
    const response = await post('/gantry/calls', callsOf(gadget, ids));
    expect([response.status, response.type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const replies = response.text
      .trimEnd()
      .split('\n')
      .map((line): CallReply => JSON.parse(line));
    expect(replies.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(replies).toMatchObject(ids.map(() => ({ ok: { id: '1', displayName: 'Ada' } })));
  }
});

test('the viewer function of a site reads the method, the address and the headers of a call', async () => {
  const requests: string[] = [];
  viewer = async ({ method, url, headers }) => {
    requests.push(`${method} ${url} ${headers.get('cookie')}`);
    return headers.get('cookie')?.split('=')[1];
  };
  const { text } = await post('/gantry/instances', [{ app: 'board' }], { Cookie: 'member=2' });
  expect(JSON.parse(text)).toMatchObject([{ ok: { context: { viewer: '2' } } }]);
  expect(requests).toEqual([`POST ${server.url}/gantry/instances member=2`]);
});

test('a body that is no JSON, or too long, is refused in words', async () => {
  viewer = async () => '1';
  expect(await post('/gantry/calls', undefined)).toMatchObject({ status: 400 });
  expect(await post('/gantry/calls', 'x'.repeat(1024 * 1024))).toMatchObject({ status: 413 });
});
