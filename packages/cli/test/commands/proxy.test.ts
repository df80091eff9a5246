import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CallReply, Instance, InstanceAnswer } from '@gantry/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ForeignSite, openForeignSite } from '../../../proxy/test/foreign-site.ts';
import { consumerOf } from '../../../proxy/test/site.ts';
import { viewerKey, viewerToken } from '../../../server/test/viewer-token.ts';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { type Process, start } from '../real-site.ts';
import { runCommand } from '../run-command.ts';

// A site in another language, and `gantry proxy` before it as a process of its own.
const pages = 'http://tern-quay.example';
const folder = folderForFile();
let data: string;
let foreign: ForeignSite;
let proxy: Process;

const gantry = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCommand(args, { GANTRY_DATA: data, ...env });

beforeAll(async () => {
  data = join(folder, 'data'); // made by the first command
  foreign = await openForeignSite();
  const app = join(folder, 'friends');
  await mkdir(app);
  const uses = ['people.get', 'appdata.get', 'appdata.update', 'activities.create'];
  await writeFile(join(app, 'gadget.json'), JSON.stringify({ name: 'Friends', page: 'index.html', uses }));
  await writeFile(join(app, 'index.html'), '<!doctype html><title>Friends</title>');
  const { key, secret } = consumerOf('friends');
  const added = await gantry(['app', 'add', app, '--key', key, '--trusted'], { GANTRY_APP_SECRET: secret });
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Registered friends: Friends\n/) });
  proxy = await startProxy();
});
afterAll(async () => {
  expect(await proxy.stop()).toBe(0);
  await foreign.close();
});

function startProxy(): Promise<Process> {
  return start(
    'proxy',
    ['--upstream', foreign.url, '--url', pages, '--media-origin', 'https://img.tern-quay.example'],
    { GANTRY_DATA: data, GANTRY_VIEWER_KEY: viewerKey, GANTRY_METRICS_TOKEN: 'metrics-token-of-the-test' },
  );
}

async function headersOf(viewer: string) {
  return {
    host: new URL(pages).host,
    origin: pages,
    'content-type': 'application/json',
    'gantry-container': '1',
    authorization: `Bearer ${viewerToken(viewer, pages)}`,
  };
}

/** A request as the site's reverse proxy passes it on. */
async function ask(path: string, options: { body?: unknown; viewer?: string; headers?: object } = {}) {
  const { body, viewer = '7', headers = {} } = options;
  const outgoing = request({
    ...{ host: '127.0.0.1', port: proxy.port, path, method: body === undefined ? 'GET' : 'POST' },
    headers: { ...(await headersOf(viewer)), ...headers },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

async function mount(viewer = '7'): Promise<Instance> {
  const reply = await ask('/gantry/instances', { body: [{ app: 'friends' }], viewer });
  const [answer] = JSON.parse(reply.text) as InstanceAnswer[];
  if (!answer || 'error' in answer) throw new Error(reply.text);
  return answer.ok;
}

async function call(operation: string, params: object): Promise<CallReply> {
  const { instance, token } = await mount();
  const calls = [{ id: 'c', instance, operation, params }];
  return JSON.parse((await ask('/gantry/calls', { body: { tokens: { [instance]: token }, calls } })).text) as CallReply;
}

test('a friends list comes through it, signed with the key that the site issued, for whom the site names', async () => {
  expect(await call('people.get', { groupId: '@friends' })).toEqual({
    id: 'c',
    ok: { list: [{ id: '8', isOwner: false }], startIndex: 0, totalResults: 1, itemsPerPage: 0 },
  });
  expect(foreign.received.at(-1)).toMatchObject({ consumerKey: consumerOf('friends').key, requestor: '7' });
});

test('the habits of such sites stop at the proxy: [] for a map, empty bodies, HTML errors, a bare 500 for the interval', async () => {
  expect(await call('appdata.get', {})).toEqual({ id: 'c', ok: {} });
  expect(await call('appdata.update', { data: { a: 1 } })).toEqual({ id: 'c', ok: {} });
  expect(await call('appdata.get', {})).toEqual({ id: 'c', ok: { '7': { a: '1' } } });
  expect(await call('people.get', { userId: 'unknown' })).toEqual({
    id: 'c',
    error: { code: 404, message: 'Error No such member', data: { reason: 'NOT_FOUND' } },
  });
  const post = { activity: { title: 'Low tide' } };
  expect(await call('activities.create', post)).toEqual({ id: 'c', ok: {} });
  expect(await call('activities.create', post)).toMatchObject({
    error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter: 30 } },
  });
});

test("an app's document may show the media of the site, and nothing else of it (security rule 5)", async () => {
  const { headers, status } = await ask('/gantry/apps/friends/index.html');
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain(`img-src data: blob: ${pages} https://img.tern-quay.example;`);
  expect(headers['connection-allowlist']).toBe('(response-origin "https://img.tern-quay.example")');
});

test('healthz, readyz and metrics of the upstream site answer', async () => {
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/readyz')).text).toBe('{"status":"ready"}');
  await call('people.get', {});
  const { text: metrics } = await ask('/metrics', { headers: { authorization: 'Bearer metrics-token-of-the-test' } });
  expect(metrics).toMatch(/^gantry_upstream_seconds_count\{outcome="answered"\} [1-9]/m);
  expect(metrics).toMatch(/^gantry_proxy_reads_total\{outcome="asked"\} [1-9]/m);
  expect(metrics).toMatch(/^gantry_upstream_breaker_open 0$/m);
  expect(metrics).toMatch(/^gantry_event_streams 0$/m);
});

test('SIGTERM ends streams of events in order (security rule 21)', async () => {
  const other = await startProxy();
  const { instance, token, since } = await mount();
  const stream = request({
    ...{ host: '127.0.0.1', port: other.port, method: 'POST', path: '/gantry/events', agent: false },
    headers: await headersOf('7'),
  });
  stream.end(JSON.stringify({ tokens: { [instance]: token }, since: [since] }));
  const [answer] = (await once(stream, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  await once(answer, 'readable'); // the stream is open
  const heard = text(answer);
  expect(await other.stop()).toBe(0);
  expect(await heard).toContain('event: end\ndata: "later"\n\n');
});

test('it answers below /gantry/ only, and at the name of the site only', async () => {
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/gantry/container.js', { headers: { host: 'elsewhere.example' } })).status).toBe(421);
});

test('no secret is in what it says or keeps in the clear (security rule 8)', async () => {
  expect(await call('people.get', { userId: 'leak' })).toMatchObject({ error: { code: 400 } });
  const { out } = await gantry(['app', 'list', '--json']);
  expect(out).toContain('"id":"friends"');
  expect(out + proxy.errors()).not.toMatch(/[cs][ks]-friends|-0815-|-4711\b/);
});

test.each([
  ['no REST root', (url: string) => url.replace('/base/rest', '/wrong'), 'is not the REST root of this API: '],
  ['no URL', () => 'tern-quay', '--upstream (GANTRY_UPSTREAM) must be the REST root of the site, such as '],
])('%s is said clearly, and nothing is started', async (_, upstreamOf, message) => {
  const { code, err } = await gantry(['proxy', '--upstream', upstreamOf(foreign.url), '--port', '0'], {
    GANTRY_VIEWER_KEY: viewerKey,
  });
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('without the key that names the viewer it does not start', async () => {
  expect(await gantry(['proxy', '--upstream', foreign.url])).toEqual({
    code: 2,
    out: '',
    err: 'GANTRY_VIEWER_KEY is missing: 32 bytes or more, shared with the site.',
  });
});

test('an id before an existing site stands for one app: update, replace, pause, remove (security rule 29)', async () => {
  const [one, two] = [join(folder, 'friends'), join(folder, 'other-friends')];
  await mkdir(two);
  await writeFile(join(two, 'gadget.json'), JSON.stringify({ name: 'Others', page: 'index.html' }));
  await writeFile(join(two, 'index.html'), '<!doctype html>');
  const add = (app: string, ...flags: string[]) =>
    gantry(['app', 'add', app, '--id', 'club', ...flags], { GANTRY_APP_SECRET: 'secret' });
  const show = async () => JSON.parse((await gantry(['app', 'show', 'club', '--json'])).out);
  expect(await add(one, '--key', 'k1', '--trusted')).toMatchObject({ code: 0 });
  expect(await add(two, '--key', 'k2')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^club is Friends, from .*; 0 members allowed it/),
  });
  expect(await add(two, '--update')).toMatchObject({ code: 0 });
  expect(await show()).toMatchObject({ name: 'Others', key: 'k1', trusted: true, state: 'active' });
  expect(await add(one, '--replace', '--yes', '--key', 'k1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The key k1 belongs to the replaced app'),
  });
  expect(await add(one, '--replace', '--key', 'k2')).toMatchObject({ code: 2 });
  expect(await show()).toMatchObject({ name: 'Others', key: 'k1' });
  expect((await add(one, '--replace', '--yes', '--key', 'k2')).out).toMatch(/^Replaced club: Friends\n/);
  expect(await show()).toMatchObject({ name: 'Friends', key: 'k2', trusted: false });

  await gantry(['app', 'pause', 'club']);
  const instances = async () => JSON.parse((await ask('/gantry/instances', { body: [{ app: 'club' }] })).text);
  expect(await instances()).toMatchObject([{ error: { code: 503, data: { reason: 'APP_PAUSED' } } }]);
  expect((await gantry(['app', 'list'])).out).toMatch(/^club +Friends .* paused +asks +0 /m);
  await gantry(['app', 'resume', 'club']);
  expect(await instances()).toMatchObject([{ ok: {} }]);

  await gantry(['app', 'remove', 'club']);
  expect(await add(one, '--key', 'k3')).toMatchObject({ code: 1, err: expect.stringMatching(/^club was Friends/) });
  expect(await add(one, '--update')).toMatchObject({
    code: 1,
    err: expect.stringContaining('pass the key with --key'),
  });
  expect(await add(one, '--replace', '--yes', '--key', 'k2')).toMatchObject({ code: 1 });
  expect(await add(one, '--update', '--key', 'k2')).toMatchObject({ code: 0 });
  await gantry(['app', 'remove', 'club']);
});

test('an app is not added without the key that the site issued', async () => {
  const app = join(folder, 'friends');
  expect(await gantry(['app', 'add', app, '--id', 'other'])).toMatchObject({
    code: 1,
    err: 'Behind gantry proxy the site issues the keys of apps: pass the key with --key.',
  });
});
