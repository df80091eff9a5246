import { importWorld } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { ask } from '../oauth-client.ts';
import { rpc } from '../rpc-client.ts';
import { openSite, type Reply, secretKey, village } from '../site.ts';

const names = (count: number, name = 'k'): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);
const problem = ({ status, json }: Reply) => [status, json.error?.message];
const badRequest = (message: string) => ({ error: { code: 400, message, data: { reason: 'BAD_REQUEST' } } });

describe.each(databases)('bounds of requests on $name', ({ open }) => {
  test('a list of fields or keys has at most 1,000 (contract §8, security rule 25)', async () => {
    const site = await openSite(open, village);
    const tooMany = [400, 'fields must be a list of at most 1000.'];
    for (const path of ['/people/@me/@self', '/appData/@me/@self/@app']) {
      expect((await site.get(`${path}?fields=${names(1_000)}`)).status).toBe(200);
      expect(problem(await site.get(`${path}?fields=${names(1_001)}`))).toEqual(tooMany);
      expect(problem(await site.get(`${path}?fields=${names(600)}&fields=${names(401)}`))).toEqual(tooMany);
    }
    const deletion = { method: 'DELETE', path: `/appData/@me/@self/@app?fields=${names(1_000)}` };
    expect((await site.send(deletion)).status).toBe(200);
    expect(problem(await site.send({ ...deletion, path: `${deletion.path},more` }))).toEqual(tooMany);
  });

  test('JSON-RPC has the same bounds, and ids in a list are at most 100 (contract §1, §8)', async () => {
    const site = await openSite(open, village);
    const calls = [
      { id: '1', method: 'appdata.get', params: { keys: names(1_000) } },
      { id: '2', method: 'appdata.get', params: { keys: names(33_000) } },
      { id: '3', method: 'appdata.delete', params: { keys: names(60_000).join() } },
      { id: '4', method: 'people.get', params: { userId: names(100) } },
      { id: '5', method: 'people.get', params: { userId: names(101) } },
      { id: '6', method: 'people.get', params: { personId: names(101).join() } },
    ];
    const { json } = await rpc(site, calls);
    expect(json).toMatchObject([
      { id: '1', data: {} },
      { id: '2', ...badRequest('keys must be a list of at most 1000.') },
      { id: '3', ...badRequest('keys must be a list of at most 1000.') },
      { id: '4', data: {} },
      { id: '5', ...badRequest('userId must be a list of at most 100.') },
      { id: '6', ...badRequest('personId must be a list of at most 100.') },
    ]);
  });

  test('a call has at most 1,000 parameters, with names of at most 64 characters (contract §8)', async () => {
    const site = await openSite(open, village);
    const params = (...given: string[]) => ({
      method: 'people.get',
      params: Object.fromEntries(given.map((n) => [n, 1])),
    });
    const { json } = await rpc(site, [
      params(...names(1_000)),
      params(...names(1_001)),
      params('n'.repeat(64)),
      params('n'.repeat(65)),
    ]);
    expect(json).toMatchObject([
      { data: {} },
      badRequest('There are at most 1000 parameters.'),
      { data: {} },
      badRequest('The name of a parameter has at most 64 characters.'),
    ]);
  });

  test('extra query parameters that a client signs are let in, up to 1,000 in all (contract §2, §8)', async () => {
    const site = await openSite(open, village);
    const query = (count: number) => names(count, 'p%2525').join('&');
    expect((await site.get(`/people/@me/@self?${query(900)}`)).status).toBe(200);
    expect(problem(await site.get(`/people/@me/@self?${query(1_000)}`))).toEqual([
      400,
      'A request has at most 1000 parameters.',
    ]);
  });

  test('too many parameters are a failure of the target: before route and signature (contract §4)', async () => {
    const site = await openSite(open, village);
    const form = (count: number, path: string) =>
      site.send({
        method: 'POST',
        path,
        body: names(count).join('&'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        signed: false,
      });
    for (const [path, otherwise] of [
      ['/nowhere', 404],
      ['/activities/@me/@self', 401],
    ] as const) {
      expect((await form(1_000, path)).status).toBe(otherwise);
      expect(problem(await form(1_001, path))).toEqual([400, 'A request has at most 1000 parameters.']);
      expect((await form(100_000, path)).status).toBe(400);
    }
  });

  test('the first 20 bad records are reported, and later ones are not checked (security rule 25)', async () => {
    const site = await openSite(open, village);
    const reply = await ask(site, {
      path: '/gantry/admin/records',
      method: 'POST',
      consumer: { key: 'admin-any', secret: 'secret' },
      body: JSON.stringify(names(2_000).map(() => 0)),
      signsBody: true,
    });
    expect([reply.status, JSON.parse(reply.text).error.errors.length]).toEqual([400, 20]);
  });

  test('a POST has at most 2,000 records, in both formats (security rule 34)', async () => {
    const site = await openSite(open, village);
    const post = (body: string, type: string) =>
      ask(site, {
        path: '/gantry/admin/records',
        method: 'POST',
        consumer: { key: 'admin-any', secret: 'secret' },
        headers: { 'content-type': type },
        body,
        signsBody: true,
      });
    const records = (count: number) =>
      names(count).map((id) => JSON.stringify({ kind: 'member', id, displayName: id }));
    for (const [type, text] of [
      ['application/json', (count: number) => `[${records(count)}]`],
      ['application/x-ndjson', (count: number) => records(count).join('\n\n')],
    ] as const) {
      const refused = await post(text(2_001), type);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 2000 records')]);
      const stored = await post(text(2_000), type); // the control
      expect([stored.status, JSON.parse(stored.text).counts]).toEqual([200, { members: 2_000 }]);
    }
    const lines = await post('\n'.repeat(500_000), 'application/x-ndjson');
    expect([lines.status, lines.text]).toEqual([400, expect.stringContaining('at most 2000 records')]);
    const values = await post(`[${'0,'.repeat(30_000)}0]\n`.repeat(2), 'application/x-ndjson');
    expect([values.status, values.text]).toEqual([400, expect.stringContaining('at most 50000 values')]);
  });

  test('the largest honest bodies pass (contract §8)', async () => {
    const site = await openSite(open, village);
    const data = Object.fromEntries(names(1_000).map((key) => [key, 'x'.repeat(98)]));
    const call = { method: 'appdata.update', params: { data: { k0: 'x' } } };
    const { json } = await rpc(site, [
      { ...call, id: '0', params: { data } },
      ...names(99).map((id) => ({ ...call, id })),
    ]);
    expect((json as object[]).filter((reply) => 'error' in reply)).toEqual([]);
    const entries = Object.entries(data).map(
      ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
    );
    const headers = { 'content-type': 'application/xml' };
    const body = `<appdata>${entries.join('')}</appdata>`;
    expect((await site.send({ method: 'PUT', path: '/appData/@me/@self/@app', headers, body })).status).toBe(200);
  });
});

test.each([
  ['a record', { members: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) }],
  [
    'what a record ignores',
    {
      albums: [
        { id: 'a', ownerId: '1', title: 'A', mediaItemCount: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) },
      ],
      members: 1,
    },
  ],
  [
    'AppData',
    {
      appData: [{ appId: 'notes', memberId: '1', data: { k: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) } }],
    },
  ],
])('a world file whose %s is very deep is refused, not a crash (security rules 18 and 25)', async (_, world) => {
  const [sqlite] = databases;
  const { db, mediaFolder } = await openSite(sqlite?.open as (typeof databases)[number]['open'], village);
  const work = importWorld(db, world, { folder: '.', mediaFolder, secretKey });
  await expect(work).rejects.toBeInstanceOf(SocialError);
});
