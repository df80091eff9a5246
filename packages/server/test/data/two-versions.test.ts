import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { sql } from '@gantry/store';
import type { Instance } from '@gantry/wire';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeAfterUpgrade, completeOldWrites, migrationTimes } from '../../src/data/complete-old-writes.ts';
import { openDatabase } from '../../src/data/open-database.ts';
import type { Gantry } from '../../src/index.ts';
import { type OldRelease, type OldServer, unpackOldRelease } from './old-server.ts';
import {
  ask,
  type OldCall,
  type OldDatabase,
  oldDatabases,
  oldUrl,
  openOld,
  post,
  type Site,
  send,
  signIn,
} from './old-site.ts';

// A rolling restart: a server of 0.1.0 and one of this version on one database, until the old one
// stops (ADR 41).

const notes = { key: 'notes-key', secret: 'fake-notes-secret' };
const board = { key: 'board-key', secret: 'fake-board-secret' };
const appData = '/appdata/@me/@self/@app';
const dayMs = 24 * 60 * 60_000;
let release: OldRelease;
beforeAll(async () => {
  release = await unpackOldRelease();
});
afterAll(() => release.remove());

describe.each(oldDatabases)('0.1.0 and this version on one $name', ({ copy }) => {
  let place: OldDatabase;
  let old: OldServer;
  let now: Gantry;
  beforeAll(async () => {
    place = await copy();
    old = await release.serve(place);
    now = await openOld(place); // migrates while the old one answers
  }, 60_000);
  afterAll(async () => {
    await now.close();
    await old.stop();
    await place.remove();
  });

  const ways = [
    ['0.1.0 to this version', () => [old, now] as const],
    ['this version to 0.1.0', () => [now, old] as const],
  ] as const satisfies readonly (readonly [string, () => readonly [Site, Site]])[];

  test('both answer that they are ready', async () => {
    for (const site of [old, now]) expect((await send(site, '/readyz')).status).toBe(200);
  });

  describe.each(ways)('from %s', (way, sites) => {
    const name = way.startsWith('0') ? 'old' : 'new';

    test('AppData that is written by a signed request is read (contract §4, §5)', async () => {
      const [here, there] = sites();
      const call = (more: Partial<OldCall> = {}) => ({ as: '1', consumer: notes, ...more });
      expect((await ask(there, appData, call())).status).toBe(200); // an answer that could be kept
      const body = { [name]: 'written' };
      expect(await ask(here, appData, call({ method: 'POST', body }))).toEqual({ status: 200, json: { entry: {} } });
      expect(await ask(there, appData, call())).toMatchObject({ status: 200, json: { entry: { 1: body } } });
    });

    test('a signed request that was answered is refused when it comes again (contract §5)', async () => {
      const [here, there] = sites();
      const target = '/social/rest/people/@me/@self';
      const { authorization } = signRequest({
        ...{ method: 'GET', url: oldUrl + target, consumer: notes, parameters: [['xoauth_requestor_id', '1']] },
        timestamp: Math.ceil(Date.now() / 1000),
        nonce: crypto.randomUUID(),
      });
      const replay = (site: Site) => send(site, target, { headers: { authorization } });
      expect((await replay(here)).status).toBe(200);
      expect((await replay(there)).status).toBe(401);
    });

    test('a member stays signed in, a gadget keeps its token, and its write is done once (security rules 9 and 15)', async () => {
      const [here, there] = sites();
      const cookie = (await signIn(here, '1', 'fake-password-1')) ?? '';
      const { instance, token } = await mount(here, cookie, 'notes');
      const write = { id: '1', instance, operation: 'appdata.update', write: `from-${name}` };
      const read = { id: '2', instance, operation: 'appdata.get', params: { userId: '@viewer', keys: ['colour'] } };
      const calls = (site: Site, ...asked: readonly object[]) =>
        post(site, '/gantry/calls', { cookie, body: { tokens: { [instance]: token }, calls: asked } });
      const colour = (value: string) => ({ ...write, params: { userId: '@viewer', data: { colour: value } } });
      expect(await calls(here, colour(name))).toEqual([{ id: '1', ok: {} }]);
      expect(await calls(there, colour(name))).toEqual([{ id: '1', ok: {} }]); // known again
      expect(await calls(there, colour('other'))).toMatchObject([{ error: { data: { reason: 'CONFLICT' } } }]);
      expect(await calls(there, read)).toMatchObject([{ id: '2', ok: { 1: { colour: name } } }]);
    });

    test('a page that listens hears of a write (security rule 15)', async () => {
      const [here, there] = sites();
      const cookie = (await signIn(there, '1', 'fake-password-1')) ?? '';
      const { instance, token, since } = await mount(there, cookie, 'notes');
      const end = new AbortController();
      const stream = await send(there, '/gantry/events', {
        method: 'POST',
        headers: { cookie, origin: oldUrl, 'content-type': 'application/json', 'gantry-container': '1' },
        body: JSON.stringify({ tokens: { [instance]: token }, since: [since] }),
        signal: end.signal,
      });
      const body = { [`heard-${name}`]: 'yes' };
      await ask(here, appData, { as: '1', consumer: notes, method: 'POST', body });
      expect(await firstLine(stream, '"topic":"appData"')).toContain('"member":"1"');
      end.abort();
    });

    test('what a member takes back is refused (security rule 29)', async () => {
      const [here, there] = sites();
      const cookie = (await signIn(here, '2', 'fake-password-2')) ?? '';
      const shown = await mount(there, cookie, 'notes');
      const { token } = await mount(here, cookie, 'notes');
      const decide = (decision: object) => post(here, '/gantry/grants', { cookie, body: { token, ...decision } });
      const read = { id: '1', instance: shown.instance, operation: 'people.get', params: { userId: '@viewer' } };
      const asked = () =>
        post(there, '/gantry/calls', { cookie, body: { tokens: { [shown.instance]: shown.token }, calls: [read] } });
      await decide({ revoke: ['people'] });
      expect(await asked()).toMatchObject([{ error: { data: { reason: 'NOT_GRANTED', missing: ['people'] } } }]);
      await decide({ grant: ['people'] });
      expect(await asked()).toMatchObject([{ ok: { id: '2' } }]); // the control
    });
  });

  describe('what 0.1.0 leaves incomplete is completed by this version', () => {
    const settled = async () => completeOldWrites(now.stores.db, (await migrationTimes(now.stores.db))?.lastMs ?? 0);
    const row = async (member: string, app: string) =>
      (
        await now.stores.db.query(sql`
          select installed, granted, ended_by, app_data_keys, app_data_keys_most as most from member_app
          where member_id = ${member} and app_id = ${app}`)
      )[0];
    const decide = async (member: string, decision: object) => {
      const cookie = (await signIn(old, member, `fake-password-${member}`)) ?? '';
      const { token } = await mount(old, cookie, 'notes');
      await post(old, '/gantry/grants', { cookie, body: { token, ...decision } });
    };

    test('keys that it wrote are counted, and friends see them (contract §6)', async () => {
      const friends = (site: Site) =>
        ask(site, '/appdata/@me/@friends/@app', { as: '2', consumer: board }).then(({ json }) =>
          Object.keys(Object(json).entry),
        );
      const call = { as: '1', consumer: board, method: 'POST', body: { score: '3' } };
      expect((await ask(old, appData, call)).status).toBe(200);
      expect(await friends(now)).not.toContain('1'); // the control: its key is not counted
      await settled();
      expect(await row('1', 'board')).toMatchObject({ app_data_keys: 1, most: 1_000 });
      expect(await friends(now)).toContain('1');
    });

    test('a member whom it let beyond the bound of keys may still delete them (contract §8)', async () => {
      const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`more${index}`, 'x']));
      const call = { as: '1', consumer: notes };
      const before = Object.keys(Object(await ask(now, appData, call)).json.entry[1]).length;
      await ask(old, appData, { ...call, method: 'POST', body });
      const remove = () => ask(now, `${appData}?fields=more1`, { ...call, method: 'DELETE' });
      expect((await remove()).status).not.toBe(200); // the control: the count would pass the bound
      await settled();
      const keys = before + 1_000;
      expect(await row('1', 'notes')).toMatchObject({ app_data_keys: keys, most: keys });
      expect((await remove()).status).toBe(200);
      expect(await row('1', 'notes')).toMatchObject({ app_data_keys: keys - 1, most: keys - 1 });
    });

    test('a member who allowed an app there has it, and may save with it (security rule 29)', async () => {
      await decide('3', { grant: ['people', 'appdata', 'appdata.write'] });
      const before = await row('3', 'notes');
      await settled();
      expect(before).toMatchObject({ installed: 0 });
      expect(await row('3', 'notes')).toMatchObject({ installed: 1, granted: 'appdata appdata.write people' });
    });

    test('a member who took everything back there has the app no longer, and keys of the app lose them (security rule 29)', async () => {
      const self = () => ask(now, '/people/@me/@self', { as: '4', consumer: notes });
      expect((await self()).status).toBe(200);
      const all = ['activities', 'appdata', 'appdata.write', 'people', 'people.aboutMe', 'people.birthday'];
      await decide('4', { revoke: all });
      await settled();
      expect(await row('4', 'notes')).toMatchObject({ installed: 0, granted: null, ended_by: 2 });
      expect((await self()).status).toBe(401);
    });

    test('what a member decides here stays as it is', async () => {
      const cookie = (await signIn(now, '4', 'fake-password-4')) ?? '';
      const { token } = await mount(now, cookie, 'notes');
      await post(now, '/gantry/grants', { cookie, body: { token, grant: ['people'] } });
      const decided = await row('4', 'notes');
      await settled();
      expect(await row('4', 'notes')).toEqual(decided);
      expect(decided).toMatchObject({ installed: 1, granted: 'people' });
    });
  });
});

describe.each(oldDatabases)('after an upgrade on $name', ({ copy }) => {
  test('0.1.0 refuses the database in one sentence and changes nothing in it; it runs again on the backup (security rule 24)', async () => {
    const [place, backup] = [await copy(), await copy()];
    const now = await openOld(place);
    const tables = () =>
      now.stores.db.query(sql`select set_name, number, applied_at_ms from schema_migration order by 1, 2`);
    const before = await tables();
    for (const command of [
      ['serve', '--port', '0'],
      ['app', 'list'],
      ['export', '--out', 'world.jsonl'],
    ]) {
      const { code, said } = await release.run(place, ...command);
      expect([code, said]).toEqual([
        1,
        'The database has service schema 15, but this version of Gantry knows only 10: run a newer version.\n',
      ]);
    }
    expect(await tables()).toEqual(before);
    await now.close();
    const again = await release.serve(backup);
    expect((await ask(again, appData, { as: '1', consumer: notes })).status).toBe(200);
    await again.stop();
    await Promise.all([place, backup].map((each) => each.remove()));
  });

  test('settling begins by itself, and not on a site that was upgraded long ago or is new', async () => {
    const place = await copy();
    await (await openOld(place)).close(); // migrated; a site that runs would complete what is spoilt here
    const db = await openDatabase(place.database);
    const spoil = () =>
      db.query(sql`update member_app set app_data_keys = 0 where member_id = '2' and app_id = 'board'`);
    const keys = async () =>
      (await db.query(sql`select app_data_keys as n from member_app where member_id = '2' and app_id = 'board'`))[0]?.n;
    const upgraded = async (agoMs: number, madeMs: number) => {
      await db.query(sql`update schema_migration set applied_at_ms = ${Date.now() - madeMs}`);
      await db.query(sql`update schema_migration set applied_at_ms = ${Date.now() - agoMs} where set_name = 'site'`);
    };
    for (const [agoMs, madeMs] of [
      [2 * dayMs, 3 * dayMs],
      [1_000, 2_000],
    ] as const) {
      await upgraded(agoMs, madeMs);
      await spoil();
      const { promise, resolve } = Promise.withResolvers<void>();
      completeAfterUpgrade(db, { log: pino({ level: 'silent' }), every: () => resolve });
      await promise; // it checked, and checks no more
      expect(await keys()).toBe(0);
    }
    await upgraded(1_000, dayMs);
    const second = await openOld(place);
    await expect.poll(keys).toBe(1_201);
    await second.close();
    await db.close();
    await place.remove();
  });
});

test('a backup that 0.1.0 made before the upgrade brings it back, as the guide says (security rule 24)', async () => {
  const [sqlite] = oldDatabases;
  const place = await (sqlite as (typeof oldDatabases)[number]).copy();
  const folder = join(place.data, 'before');
  expect((await release.run(place, 'backup', folder, '--with-keys')).code).toBe(0);
  const now = await openOld(place);
  await ask(now, appData, { as: '1', consumer: notes, method: 'POST', body: { later: 'yes' } });
  await now.close();
  const data = join(place.data, 'again');
  const again = { ...place, data, database: join(data, 'gantry.db') };
  const restored = await release.run(again, 'restore', folder, '--data', data);
  expect(restored).toMatchObject({ code: 0 });
  const old = await release.serve(again);
  const { json } = await ask(old, appData, { as: '1', consumer: notes });
  expect(json).toMatchObject({ entry: { 1: { note: 'kept since 0.1.0' } } });
  expect(json).not.toMatchObject({ entry: { 1: { later: 'yes' } } });
  await old.stop();
  await place.remove();
});

async function mount(site: Site, cookie: string, app: string): Promise<Instance> {
  const [[{ ok }]] = (await post(site, '/gantry/instances', { cookie, body: [{ app }] })) as [[{ ok: Instance }]];
  return ok;
}

/** Reads a stream up to the line that has this part. */
async function firstLine({ body }: Response, part: string): Promise<string> {
  let heard = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    heard += decoder.decode(chunk, { stream: true });
    const line = heard.split('\n').find((each) => each.includes(part));
    if (line !== undefined && heard.includes(`${line}\n`)) return line;
  }
  throw new Error(`The stream ended without ${part}: ${heard}`);
}
