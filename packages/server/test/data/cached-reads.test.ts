import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNonceLog } from '@gantry/service';
import type { Database, Row, Statement } from '@gantry/store';
import type { CallReply, GrantsAnswer, Instance, InstanceAnswer } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { afterAll, describe, expect, test } from 'vitest';
import { openStores } from '../../src/data/open-stores.ts';
import { addApp, createGantry, type Gantry } from '../../src/index.ts';
import { databases } from '../databases.ts';

// Two processes of one site, each with its own connections and caches (decision 99).
const url = 'http://localhost:4400';

const opened: Gantry[] = [];
afterAll(async () => {
  for (const gantry of opened) await gantry.close();
});

async function start(data: string, database: string, over: (db: Database) => Database = (db) => db): Promise<Gantry> {
  const stores = await openStores({ data, database });
  const nonces = await openNonceLog(join(data, 'nonces'));
  const viewer = async () => 'ada';
  const options = { data, database, url, viewer, log: silentLogger };
  const gantry = await createGantry({ ...options, stores: { ...stores, db: over(stores.db), nonces } });
  opened.push(gantry);
  return gantry;
}

async function post(gantry: Gantry, path: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', 'gantry-container': '1', origin: url };
  return (await gantry.fetch(new Request(url + path, { method: 'POST', headers, body: JSON.stringify(body) }))).text();
}

/** Opens a page with one gadget, which Ada allowed to read her friends. */
async function openPage(open: () => Promise<string | undefined>, over?: (db: Database) => Database) {
  const data = await mkdtemp(join(tmpdir(), 'gantry-reads-'));
  const database = (await open()) ?? join(data, 'gantry.db');
  const here = await start(data, database, over);
  const elsewhere = await start(data, database);
  const folder = join(data, 'app');
  await mkdir(folder);
  const manifest = { name: 'Friends', page: 'index.html', uses: ['people.get'] };
  await writeFile(join(folder, 'gadget.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await addApp(elsewhere.stores, { id: 'friends', folder });
  await elsewhere.saveRecords([
    ...['ada', 'bo', 'cy'].map((id) => ({ kind: 'member' as const, id, displayName: id })),
    { kind: 'friendship', members: ['ada', 'bo'] },
    { kind: 'friendship', members: ['ada', 'cy'] },
  ]);
  const [mounted] = JSON.parse(await post(here, '/gantry/instances', [{ app: 'friends' }])) as InstanceAnswer[];
  const { instance, token } = (mounted as { ok: Instance }).ok;
  const decide = async (gantry: Gantry, decision: object) =>
    JSON.parse(await post(gantry, '/gantry/grants', { token, ...decision })) as GrantsAnswer;
  await decide(here, { grant: ['people'] });

  /** Resolves with the friends' ids, or with the reason why there are none. */
  async function read(): Promise<unknown> {
    const call = { id: 'c', instance, operation: 'people.get', params: { groupId: '@friends' } };
    const text = await post(here, '/gantry/calls', { tokens: { [instance]: token }, calls: [call] });
    const reply = JSON.parse(text) as CallReply;
    return 'ok' in reply ? (reply.ok as { list: { id: string }[] }).list.map(({ id }) => id) : reply.error.data?.reason;
  }

  return { here, elsewhere, decide, read };
}

/** Counts what the database is asked one after the other: together waits what is asked together. */
function countedTrips() {
  const counted = { statements: 0, trips: 0 };
  let trip: Promise<void> | undefined;
  const inTrip = async <T>(work: () => Promise<T>): Promise<T> => {
    trip ??= new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))).then(() => {
      counted.trips += 1;
      trip = undefined;
    });
    await trip;
    return work();
  };
  const over = (db: Database): Database => ({
    ...db,
    query<R = Row>(statement: Statement) {
      counted.statements += 1;
      return inTrip(() => db.query<R>(statement));
    },
  });
  return { counted, over };
}

/** The mistake: permissions that were asked for once are known. */
function remembering(db: Database): Database {
  const known = new Map<string, Promise<readonly unknown[]>>();
  return {
    ...db,
    query<R>(statement: Statement) {
      if (!statement.strings.join().includes('app_grants')) return db.query<R>(statement);
      const key = JSON.stringify([statement.strings, statement.values]);
      const rows = known.get(key) ?? db.query<R>(statement);
      known.set(key, rows);
      return rows as Promise<readonly R[]>;
    },
  };
}

describe.each(databases)('cached reads on $name', ({ open }) => {
  test('what another process has answered counts for the next read (ADR 99)', async () => {
    const { elsewhere, decide, read } = await openPage(open);
    const reads = async (expected: unknown) => expect([await read(), await read()]).toEqual([expected, expected]);
    await reads(['bo', 'cy']);
    for (let round = 0; round < 5; round++) {
      const earlier = [read(), read(), read()]; // what they find out must not serve later reads
      await decide(elsewhere, { revoke: ['people'] });
      await reads('NOT_GRANTED');
      await Promise.all([...earlier, decide(elsewhere, { grant: ['people'] })]);
      await reads(['bo', 'cy']);
      const others = [read(), read(), read()];
      await elsewhere.saveRecords([{ kind: 'friendship', members: ['ada', 'cy'], deleted: true }]);
      await reads(['bo']);
      await Promise.all([...others, elsewhere.saveRecords([{ kind: 'friendship', members: ['ada', 'cy'] }])]);
      await reads(['bo', 'cy']);
    }
    await elsewhere.saveRecords([{ kind: 'block', members: ['bo', 'ada'] }]);
    await reads(['cy']);
    await elsewhere.saveRecords([{ kind: 'member', id: 'ada', deleted: true }]);
    await reads('VIEWER_CHANGED');
  });

  test('control: a process that remembers permissions goes on with one that was taken back', async () => {
    const { elsewhere, decide, read } = await openPage(open, remembering);
    await read();
    await decide(elsewhere, { revoke: ['people'] });
    expect(await read()).toEqual(['bo', 'cy']);
  });

  test('a cached read asks the database in one trip, and one whose data changed in three (ADR 99)', async () => {
    const { counted, over } = countedTrips();
    const { elsewhere, read } = await openPage(open, over);
    const costs = async () => {
      Object.assign(counted, { statements: 0, trips: 0 });
      await read();
      return { ...counted };
    };
    await read();
    expect(await costs()).toEqual({ statements: 3, trips: 1 });
    await elsewhere.saveRecords([{ kind: 'member', id: 'bo', displayName: 'Bob' }]);
    expect(await costs()).toEqual({ statements: 5, trips: 3 });
  });
});
