import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportWorld } from '@gantry/service';
import { sql } from '@gantry/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addApp, type Gantry } from '../../src/index.ts';
import {
  ask,
  type OldCall,
  type OldClients,
  type OldDatabase,
  oldDatabases,
  oldUrl,
  openOld,
  post,
  readFixture,
  send,
  signIn,
  tokenByOldKey,
} from './old-site.ts';

// Facts of a site of 0.1.0 that hold under every later version. Other tests cover additions.
const consumers = {
  notes: { key: 'notes-key', secret: 'fake-notes-secret' },
  board: { key: 'board-key', secret: 'fake-board-secret' },
};
const clients: OldClients = JSON.parse(await readFixture('clients.json'));

describe.each(oldDatabases)('a site of 0.1.0 on $name', ({ copy }) => {
  let place: OldDatabase;
  let gantry: Gantry;
  beforeAll(async () => {
    place = await copy();
    gantry = await openOld(place);
  });
  afterAll(async () => {
    await gantry.close();
    await place.remove();
  });

  /** A request through the key of the app `notes`, for Ada (1) unless the call says otherwise. */
  const get = (path: string, call: Partial<OldCall> = {}) =>
    ask(gantry, path, { as: '1', consumer: consumers.notes, ...call });
  const entries = async (path: string, call: Partial<OldCall> = {}) =>
    ((await get(path, call)).json as { entry: readonly Readonly<Record<string, unknown>>[] }).entry;

  test('it migrates and is ready (security rule 24)', async () => {
    expect((await send(gantry, '/readyz')).status).toBe(200);
  });

  test('a member’s profile is whole, with levels as they were (contract §6)', async () => {
    const ada = {
      id: '1',
      displayName: 'Ada Äpfel',
      thumbnailUrl: `${oldUrl}/faces/1.svg`,
      aboutMe: 'Counts boats.\nAnd "gulls" & 🐟.',
      addresses: [{ region: 'Kent', formatted: 'Kent' }],
      birthday: '1990/05/21',
      gender: 'female',
      languagesSpoken: 'en',
      hasApp: true,
    };
    expect(await get('/people/@me/@self?fields=@all')).toMatchObject({ status: 200, json: { entry: ada } });
    const seenByBo = { ...ada, gender: '' };
    expect(await get('/people/1/@self?fields=@all', { as: '2' })).toMatchObject({ json: { entry: seenByBo } });
    const [bo] = await entries('/people/@me/@friends?fields=@all');
    expect(bo).toMatchObject({ id: '2', displayName: 'Bo', aboutMe: 'Only for friends.', birthday: '', age: '' });
    expect((await get('/people/8/@self')).status).toBe(404); // was removed
  });

  test('friends and blocks are the same, in order (contract §3, §6)', async () => {
    const friends = await get('/people/@me/@friends');
    expect(friends.json).toMatchObject({ totalResults: 5, itemsPerPage: 25 }); // a setting of the site
    expect((await entries('/people/@me/@friends')).map(({ id }) => id)).toEqual(['2', '3', '4', '5', '10']);
    expect((await entries('/people/2/@friends')).map(({ id }) => id)).toEqual(['1', '3']); // without 6, who blocked Ada
  });

  test('who had an app by an install record has it, and who removed it has not (contract §6)', async () => {
    const friends = await entries('/people/@me/@friends');
    const having = new Map(friends.map(({ id, hasApp }) => [id, hasApp]));
    expect([having.get('2'), having.get('3'), having.get('10')]).toEqual([true, false, false]);
  });

  test('activities are all there, newest first, for whom they were visible (contract §3, §6)', async () => {
    const own = (await entries('/activities/@me/@self')).map(({ title }) => title);
    expect(own.slice(0, 2).toSorted()).toEqual(['Posted once', 'Saved a note']); // of one second
    expect(own.slice(2)).toEqual(['Anchored']);
    const friends = await entries('/activities/@me/@friends');
    expect(friends.map(({ title }) => title)).toEqual(['A long address', '潮 comes in', 'Wrote a <note>']);
    expect(friends[2]).toMatchObject({ id: 'a2', userId: '2', url: `${oldUrl}/notes/2` });
    expect(friends[2]?.postedTime).toBe('2026-05-02T11:00:00+01:00');
  });

  test('AppData is read as it was written, odd keys and characters too (contract §2, security rule 19)', async () => {
    const note = { note: 'kept since 0.1.0', colour: 'green', nul: 'a\0b', ['__proto__']: 'data' };
    expect(await get('/appdata/@me/@self/@app')).toEqual({ status: 200, json: { entry: { 1: note } } });
    expect(await get('/appdata/@me/@friends/@app')).toEqual({
      status: 200,
      json: { entry: { 2: { note: 'Bo’s', score: '7' } } },
    });
  });

  test('1,201 keys of one member and app are read, and can be deleted one by one (contract §8)', async () => {
    const call = { as: '2', consumer: consumers.board };
    const read = async () => (await get('/appdata/@me/@self/@app', call)).json as { entry: { 2: object } };
    const all = (await read()).entry[2];
    expect(Object.keys(all)).toHaveLength(1_201);
    expect(all).toMatchObject({ score: '12', k0: '0', k999: '999', k1199: '1199' });
    const path = '/appdata/@me/@self/@app?fields=k17,k1001';
    expect(await ask(gantry, path, { ...call, method: 'DELETE' })).toEqual({ status: 200, json: { entry: {} } });
    const left = (await read()).entry[2];
    expect([Object.keys(left).length, 'k17' in left, 'k18' in left]).toEqual([1_199, false, true]);
  });

  const self = '/people/@me/@self';
  test.each<[string, OldCall, number, string?]>([
    ['an app’s', { as: '1', consumer: consumers.notes }, 200, '1'],
    ['a member’s', { as: '2', consumer: { key: 'member-key', secret: 'fake-member-secret' } }, 200, '2'],
    ['an administrator’s', { as: '5', consumer: { key: 'admin-any', secret: 'fake-admin-any-secret' } }, 200, '5'],
    [
      'an RSA',
      { as: '3', consumer: { key: 'rsa-key', privateKey: clients.rsaPrivateKey, signatureMethod: 'RSA-SHA1' } },
      200,
      '3',
    ],
    [
      'a member’s token of a member’s',
      { consumer: { key: 'printer', secret: 'fake-printer-secret' }, token: clients.printerToken },
      200,
      '1',
    ],
    [
      'an administrator’s token of an administrator’s',
      { as: '10', consumer: { key: 'admin-key', secret: 'fake-admin-secret' }, token: clients.adminToken },
      200,
      '10',
    ],
    ['a paused app’s', { as: '1', consumer: { key: 'paused-key', secret: 'fake-paused-secret' } }, 401],
    ['a member’s, for another', { as: '1', consumer: { key: 'member-key', secret: 'fake-member-secret' } }, 401],
    ['an unlimited', { as: '5', consumer: { key: 'admin-key', secret: 'fake-admin-secret' } }, 401],
    ['an app’s, with a wrong secret', { as: '1', consumer: { key: 'notes-key', secret: 'fake' } }, 401],
  ])('%s key signs as before (contract §5)', async (_, call, status, id) => {
    const answer = await ask(gantry, self, call);
    expect(answer.status).toBe(status);
    if (id !== undefined) expect(answer.json).toMatchObject({ entry: { id } });
  });

  test('a key that is bound to HMAC-SHA256 and body hashes writes, and the write is read (contract §5)', async () => {
    const consumer = { key: 'notes-256', secret: 'fake-notes-256-secret', signatureMethod: 'HMAC-SHA256' } as const;
    const path = '/appdata/@me/@self/@app';
    const call = { as: '2', consumer };
    expect((await ask(gantry, path, { ...call, method: 'POST', body: { later: 'yes' } })).status).toBe(200);
    expect((await ask(gantry, path, call)).json).toMatchObject({ entry: { 2: { later: 'yes', score: '7' } } });
  });

  test('passwords sign in, and wrong ones do not (contract §9)', async () => {
    expect(await signIn(gantry, '2', 'fake-password-2')).toMatch(/^gantry_session=/);
    expect(await signIn(gantry, '2', 'fake-password-1')).toBeUndefined();
  });

  test('members’ decisions about apps hold: given, taken back in part, and altogether (security rule 29)', async () => {
    const all = ['activities', 'appdata', 'appdata.write', 'people', 'people.aboutMe', 'people.birthday'];
    const withPost = [...all, 'activities.post'].toSorted();
    expect(await accessOf('1', 'notes')).toEqual({ granted: withPost, needed: [] });
    expect(await accessOf('1', 'quiz')).toEqual({ granted: ['people', 'server:https://quiz.example'], needed: [] });
    expect(await accessOf('2', 'notes')).toEqual({
      granted: all.filter((name) => name !== 'activities'),
      needed: ['activities'],
    });
    expect(await accessOf('4', 'notes')).toEqual({ granted: all, needed: [] }); // without an install record
    expect(await accessOf('3', 'notes')).toEqual({ granted: [], needed: all });
    const board = ['activities', 'albums', 'appdata', 'appdata.write', 'people'];
    expect(await accessOf('3', 'board')).toEqual({ granted: [], needed: board }); // trusted, and taken back
    expect(await accessOf('2', 'board')).toEqual({ granted: board, needed: [] }); // trusted
  });

  async function accessOf(member: string, app: string): Promise<object> {
    const cookie = (await signIn(gantry, member, `fake-password-${member}`)) ?? '';
    const [[{ ok }]] = (await post(gantry, '/gantry/instances', { cookie, body: [{ app }] })) as [[{ ok: Mounted }]];
    return { granted: ok.context.permissions.toSorted(), needed: ok.consent.needed.toSorted() };
  }

  test('an app that was inactive is paused, and says so', async () => {
    const cookie = (await signIn(gantry, '1', 'fake-password-1')) ?? '';
    expect(await post(gantry, '/gantry/instances', { cookie, body: [{ app: 'paused' }] })).toMatchObject([
      [{ error: { code: 503, data: { reason: 'APP_PAUSED' } } }],
    ]);
  });

  test('an id of 0.1.0 stands for its app: another one is refused, or ends it; an update keeps it (security rule 29)', async () => {
    const own = await copy();
    const site = await openOld(own);
    const { stores } = site;
    const folder = await mkdtemp(join(tmpdir(), 'gantry-other-'));
    await writeFile(join(folder, 'gadget.json'), '{ "name": "Other", "page": "index.html", "uses": ["people.get"] }');
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    const isGranted = async () =>
      (await stores.db.query(sql`select 1 from app_grants where app_id = 'notes' and granted = 1`)).length > 0;
    const saved = () => stores.db.query(sql`select key from app_data where app_id = 'notes'`);
    const add = (mode?: 'update' | 'replace') => addApp(stores, { id: 'notes', folder, mode });
    await expect(add()).rejects.toThrow(/^notes is .*members allowed it, have it, or have data saved by it/);
    const before = await saved();
    await add('update');
    expect([await isGranted(), await saved()]).toEqual([true, before]);
    await add('replace');
    expect([await isGranted(), await saved()]).toEqual([false, []]);
    await add('update');
    await addApp(stores, { id: 'gone', folder }); // 0.1.0 left no note of it
    await site.close();
    await rm(folder, { recursive: true });
    await own.remove();
  });

  test('a gadget whose token was signed by the key before goes on (security rule 9)', async () => {
    const cookie = (await signIn(gantry, '1', 'fake-password-1')) ?? '';
    const token = await tokenByOldKey({ app: 'notes', viewer: '1', instance: 'i' });
    const call = (id: string, operation: string, params: object, write?: string) => ({
      ...{ id, instance: 'i', operation, params: { userId: '@viewer', ...params } },
      ...(write !== undefined && { write }),
    });
    const send = (...calls: readonly object[]) =>
      post(gantry, '/gantry/calls', { cookie, body: { tokens: { i: token }, calls } });
    expect(await send(call('1', 'people.get', {}))).toMatchObject([
      { id: '1', ok: { id: '1', displayName: 'Ada Äpfel' } },
    ]);
    const written = await send(call('2', 'appdata.update', { data: { colour: 'red' } }, 'new-write'));
    expect(written).toMatchObject([{ id: '2', ok: {} }]);
    const read = await send(call('3', 'appdata.get', { keys: ['colour', 'note'] }));
    expect(read).toMatchObject([{ id: '3', ok: { 1: { colour: 'red', note: 'kept since 0.1.0' } } }]);
  });

  test('photos are where they were: those of an import and those that were uploaded (contract §6)', async () => {
    const albums = await entries('/albums/@me/@self');
    expect(albums.map(({ title }) => title).toSorted()).toEqual(['Boats', 'Uploaded']);
    const [boat, elsewhere] = await entries('/mediaitems/@me/@self/al1');
    expect(boat).toMatchObject({ id: 'm1', title: 'A red boat' });
    expect(elsewhere).toMatchObject({ id: 'm2', url: 'https://media.example/2.jpg' });
    const uploaded = albums.find(({ title }) => title === 'Uploaded');
    const [teal] = await entries(`/mediaitems/@me/@self/${uploaded?.id}`);
    for (const item of [boat, teal]) {
      const answer = await send(gantry, String(item?.url).slice(oldUrl.length));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\/(png|jpeg)$/),
      ]);
    }
  });

  test('an export has every record that an export of 0.1.0 had, also after a second start (contract §9)', async () => {
    const own = await copy();
    await (await openOld(own)).close();
    const again = await openOld(own);
    let lines = '';
    const { db, secretKey } = again.stores;
    const write = async (more: string) => {
      lines += more;
    };
    await exportWorld(db, { secretKey, write });
    await again.close();
    await own.remove();
    const now = recordsOf(lines);
    const before = recordsOf(await readFixture('export.jsonl'));
    expect(before.size).toBe(63);
    for (const [name, record] of before) expect([name, now.get(name)]).toMatchObject([name, lasting(record)]);
    // Installs may come: who allowed an app may be counted among those who have it.
    const came = [...now].filter(([name, { kind }]) => !before.has(name) && kind !== 'install');
    expect(came).toEqual([]);
  });
});

interface Mounted {
  readonly context: { readonly permissions: readonly string[] };
  readonly consent: { readonly needed: readonly string[] };
}

type ExportedRecord = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Records by what they are about. */
function recordsOf(lines: string): ReadonlyMap<string, ExportedRecord> {
  const records = lines
    .trim()
    .split('\n')
    .map((line): ExportedRecord => JSON.parse(line));
  return new Map(
    records.map((record) => {
      const { kind, id, key, members, appId, memberId } = record;
      return [JSON.stringify([kind, id ?? key ?? members ?? (kind === 'site' ? '' : [appId, memberId])]), record];
    }),
  );
}

/**
 * An activity's address of more than 2,000 characters is read as absent (contract §8); all else
 * stays.
 */
function lasting(record: ExportedRecord): object {
  const { url, ...rest } = record;
  return typeof url === 'string' && url.length > 2_000 ? rest : record;
}
