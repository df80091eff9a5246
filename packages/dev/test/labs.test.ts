import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRecord, personaHeader, type Record } from '@gantry/lab';
import { SocialError } from '@gantry/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { createLabs, type Labs } from '../src/labs.ts';
import { type LabAnswer, labHeader } from '../src/protocol.ts';

const zettel = join(import.meta.dirname, '../../lab/test/zettel');
const file = {
  members: [
    { id: 'eva', displayName: 'Eva Kiel' },
    { id: 'finn', displayName: 'Finn Moor' },
  ],
};

let server: Server;
let url: string;
let labs: Labs;
let record: Record;
let folder: string;

beforeEach(async () => {
  folder = folderForTest();
  await cp(zettel, join(folder, 'zettel'), { recursive: true });
  await writeFile(join(folder, 'mine.json'), JSON.stringify(file));
  server = createServer((incoming, outgoing) => {
    const { pathname: path, searchParams: search } = new URL(incoming.url ?? '/', url);
    const exchange = { incoming, outgoing, method: incoming.method ?? 'GET', path, search };
    void labs.route(exchange).then((isTaken) => isTaken || labs.pass(incoming, outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  record = createRecord();
  const apps = [{ id: 'zettel', folder: join(folder, 'zettel') }];
  const stories = {
    async find(id: string) {
      if (id === 'zettel/late') return { scenario: { interval: 7, timeZone: 'Asia/Tokyo' }, world: async () => file };
      throw new SocialError('NOT_FOUND', `No story ${id}.`);
    },
  };
  labs = createLabs({ url, apps: () => apps, record, stories });
});
afterEach(async () => {
  await labs.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function send(path: string, body: unknown, headers: { readonly [name: string]: string } = {}, method = 'POST') {
  const defaults = { 'content-type': 'application/json', 'gantry-container': '1', origin: url };
  const text = method === 'POST' ? { body: JSON.stringify(body) } : {};
  const response = await fetch(url + path, { method, headers: { ...defaults, ...headers }, ...text });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}
const make = async (request: object): Promise<LabAnswer> => (await send('/dev/labs', request)).body;
const mine = () => ({ world: join(folder, 'mine.json') });

async function call(lab: string, operation: string, params: object = {}, persona = 'eva') {
  const headers = { [labHeader]: lab, [personaHeader]: persona };
  const { body } = await send('/gantry/instances', [{ app: 'zettel' }], headers);
  const { instance, token } = body[0].ok;
  const calls = [{ id: 'c', instance, operation, params }];
  return send('/gantry/calls', { tokens: { [instance]: token }, calls }, headers);
}
const post = { activity: { title: 'hello' } };

test('a lab is made of a scenario, and says which apps, personas and worlds there are', async () => {
  const answer = await make({ scenario: mine() });
  expect(answer).toMatchObject({
    lab: expect.stringMatching(/^[0-9a-f]{12}$/),
    apps: [{ id: 'zettel', name: 'Notes', permissions: expect.arrayContaining(['people', 'people.age']) }],
    personas: [
      { id: 'eva', name: 'Eva Kiel', about: 'no friends' },
      { id: 'finn', name: 'Finn Moor', about: 'no friends' },
    ],
    worlds: expect.arrayContaining(['friendly']),
  });
});

test('requests go to the lab that they name, and each has data of its own', async () => {
  const [one, two] = [await make({ scenario: mine() }), await make({ scenario: mine() })];
  await call(one.lab, 'activities.create', post);
  expect((await call(one.lab, 'activities.get')).body).toMatchObject({ ok: { totalResults: 1 } });
  expect((await call(two.lab, 'activities.get')).body).toMatchObject({ ok: { totalResults: 0 } });
  expect(new Set(record.entries.map(({ lab }) => lab))).toEqual(new Set([one.lab, two.lab]));
});

test('a story brings its world and its settings, and the scenario’s own come first', async () => {
  const { lab } = await make({ story: 'zettel/late', scenario: {} });
  await call(lab, 'activities.create', post);
  expect((await call(lab, 'activities.create', post)).body).toMatchObject({ error: { data: { retryAfter: 7 } } });
  expect(labs.frameOf(lab)).toEqual({ clock: { aheadMs: 0 }, timeZone: 'Asia/Tokyo' });
  const own = await make({ story: 'zettel/late', scenario: { interval: 5 } });
  await call(own.lab, 'activities.create', post);
  expect((await call(own.lab, 'activities.create', post)).body).toMatchObject({ error: { data: { retryAfter: 5 } } });
  expect(await send('/dev/labs', { story: 'zettel/none', scenario: {} })).toMatchObject({ status: 404 });
});

test('clock, faults and permissions of one lab are set by its page', async () => {
  const { lab } = await make({ scenario: mine() });
  await call(lab, 'activities.create', post);
  const jumped = await send(`/dev/labs/${lab}/clock`, { jumpMs: 30_000 });
  expect(jumped).toMatchObject({ status: 200, body: { isStopped: false } });
  expect(Math.abs(jumped.body.offsetMs - 30_000)).toBeLessThan(1_000);
  expect((await call(lab, 'activities.create', post)).body).toHaveProperty('ok');

  await send(`/dev/labs/${lab}/faults`, { once: { operation: 'people.get', fail: { status: 404, reason: 'GONE' } } });
  expect((await call(lab, 'people.get')).body).toMatchObject({ error: { data: { reason: 'GONE' } } });
  await send(`/dev/labs/${lab}/faults`, { network: 'offline' });
  await expect(call(lab, 'people.get')).rejects.toThrow(TypeError);
  await send(`/dev/labs/${lab}/faults`, { clear: true });

  await send(`/dev/labs/${lab}/permissions`, { permissions: 'without:people' });
  expect((await call(lab, 'people.get')).body).toMatchObject({ error: { data: { missing: ['people'] } } });
  await send(`/dev/labs/${lab}/permissions`, { permissions: 'all' });
  expect((await call(lab, 'people.get')).body).toHaveProperty('ok');
});

test.each([
  ['/dev/labs', {}, 400, 'A lab is made of { scenario, story? }.'],
  ['/dev/labs', { scenario: { world: 'nowhere' } }, 400, 'There is no world '],
  ['/dev/labs', { scenario: { world: '/dev/zero' } }, 400, 'There is no world /dev/zero'],
  ['/dev/labs', { scenario: { persona: 'nils' } }, 400, 'This world has no member nils.'],
  ['LAB/clock', { jumpMs: -1 }, 400, 'A clock jumps by whole milliseconds'],
  ['LAB/clock', null, 400, 'The body must be an object.'],
  ['LAB/faults', { network: 'wet' }, 400, 'network is one of'],
  ['LAB/faults', { once: { operation: 'people.frobnicate', kill: true } }, 400, 'There is no operation'],
  ['LAB/permissions', { deny: 'telepathy' }, 400, 'No app here declares the permission telepathy'],
  ['LAB/wishes', {}, 404, 'A lab has clock, faults and permissions.'],
])('%s %o is refused with %i in one line', async (path, body, status, message) => {
  const { lab } = await make({ scenario: mine() });
  const answer = await send(path.replace('LAB', `/dev/labs/${lab}`), body);
  expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(message) } } });
});

test('60 labs are kept; the longest unused is closed, and its page hears 410', async () => {
  const first = await make({ scenario: mine() });
  const used = await make({ scenario: mine() });
  const others: LabAnswer[] = [];
  for (let made = 0; made < 59; made++) {
    others.push(await labs.make({ scenario: mine() }));
    if (made === 30) await call(used.lab, 'people.get');
  }
  const gone = await send('/gantry/instances', [{ app: 'zettel' }], { [labHeader]: first.lab });
  expect(gone).toMatchObject({ status: 410, body: { error: { data: { reason: 'LAB_CLOSED' } } } });
  expect(await send(`/dev/labs/${first.lab}/clock`, { jumpMs: 1 })).toMatchObject({ status: 410 });
  expect((await call(used.lab, 'people.get')).body).toHaveProperty('ok');
  expect(await send(`/dev/labs/${used.lab}`, undefined, {}, 'DELETE')).toMatchObject({ body: { closed: true } });
  expect(await send('/gantry/instances', [], { [labHeader]: used.lab })).toMatchObject({ status: 410 });
});

test('a request that names no lab gets files of apps from any, also before a page made one', async () => {
  const get = async (path: string) => fetch(url + path);
  expect(await (await get('/gantry/apps/zettel/index.html')).text()).toContain('<title>Notes</title>');
  await make({ scenario: mine() });
  expect((await get('/gantry/apps/zettel/index.html')).status).toBe(200);
  expect((await get(`/gantry/apps/zettel/run~${'0'.repeat(12)}/index.html`)).status).toBe(410);
});

test('a picture without a lab’s name comes from the lab that has it', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await writeFile(join(folder, 'dot.png'), Buffer.from(png, 'base64'));
  const pictures = {
    ...file,
    albums: [{ id: 'b', ownerId: 'eva', title: 'Dots' }],
    mediaItems: [{ id: 'i', albumId: 'b', file: 'dot.png' }],
  };
  await writeFile(join(folder, 'pictures.json'), JSON.stringify(pictures));
  const { lab } = await make({ scenario: { world: join(folder, 'pictures.json') } });
  await make({ scenario: mine() });
  const { body } = await call(lab, 'mediaItems.get', { albumId: 'b' });
  const [{ url: address }] = body.ok.list;
  expect((await fetch(new URL(address, url))).status).toBe(200);
  expect((await fetch(`${url}/gantry/media/nowhere`)).status).toBe(404);
});

test('a changed gadget.json holds in every lab, and names what members will be asked', async () => {
  const [one, two] = [await make({ scenario: mine() }), await make({ scenario: mine() })];
  const app = { id: 'zettel', folder: join(folder, 'zettel') };
  const manifest = JSON.parse(await readFile(join(app.folder, 'gadget.json'), 'utf8'));
  await writeFile(join(app.folder, 'gadget.json'), JSON.stringify({ ...manifest, fields: ['gender'] }));
  expect(await labs.update(app)).toEqual({ asks: ['people.gender'] });
  for (const { lab } of [one, two]) {
    expect((await call(lab, 'people.get', { fields: ['gender'] })).body).toHaveProperty('ok');
    expect((await call(lab, 'people.get', { fields: ['age'] })).body).toMatchObject({ error: { code: 403 } });
  }
  await writeFile(join(app.folder, 'gadget.json'), '{');
  await expect(labs.update(app)).rejects.toThrow('gadget.json:1:2 is not JSON');
  expect((await make({ scenario: mine() })).apps).toMatchObject([
    { id: 'zettel', problem: expect.stringContaining('is not JSON') },
  ]);
});

test('a page of another origin cannot have a lab do anything for a persona (security rule 10)', async () => {
  const { lab } = await make({ scenario: mine() });
  const theirs = { [labHeader]: lab, [personaHeader]: 'eva', origin: 'https://evil.example' };
  expect(await send('/gantry/instances', [{ app: 'zettel' }], theirs)).toMatchObject({ status: 403 });
  const preflight = await fetch(`${url}/gantry/calls`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': `${labHeader},${personaHeader},gantry-container`,
    },
  });
  expect(preflight.ok).toBe(false);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('labs that keep their data may be made at once, share it, and the next run goes on with it', async () => {
  const options = { url, apps: () => [{ id: 'zettel', folder: zettel }], record, keep: join(folder, 'kept') };
  for (const total of [1, 2]) {
    await labs.close();
    labs = createLabs(options);
    const scenario = { ...mine(), interval: 0 };
    const [one, two] = await Promise.all([labs.make({ scenario }), labs.make({ scenario })]);
    expect((await call(one.lab, 'activities.create', post)).body).toHaveProperty('ok');
    expect((await call(two.lab, 'activities.get')).body).toMatchObject({ ok: { totalResults: total } });
  }
});

test('a lab that is being made when the dev host stops is closed with it', async () => {
  const refused = expect(labs.make({ scenario: mine() })).rejects.toThrow('The dev host is stopping.');
  await labs.close();
  await refused;
});

test('a page at localhost has a lab of that origin, which its documents name', async () => {
  const { port } = server.address() as AddressInfo;
  const local = `http://localhost:${port}`;
  const { lab } = await labs.make({ scenario: mine() }, local);
  await make({ scenario: mine() });
  const headers = { [labHeader]: lab, [personaHeader]: 'eva', host: `localhost:${port}`, origin: local };
  const { status, body } = await sendAs(headers, '/gantry/instances', [{ app: 'zettel' }]);
  expect([status, body[0].ok.document]).toEqual([200, `${local}/gantry/apps/zettel/index.html`]);
  const page = await sendAs({ host: `localhost:${port}` }, '/gantry/apps/zettel/index.html');
  expect(page.policy).toContain(`frame-ancestors ${local}`);
});

/** Sends a request with a `Host` of its own, which fetch would not. */
async function sendAs(headers: { readonly [name: string]: string }, path: string, body?: unknown) {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const { port } = server.address() as AddressInfo;
  const all = { 'content-type': 'application/json', 'gantry-container': '1', ...headers };
  request({ port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', headers: all }, resolve).end(
    body && JSON.stringify(body),
  );
  const incoming = await promise;
  const text = (await incoming.toArray()).join('');
  const policy = incoming.headers['content-security-policy'];
  return { status: incoming.statusCode, policy, body: body && JSON.parse(text) };
}
