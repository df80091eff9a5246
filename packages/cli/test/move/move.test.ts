import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, openProxyStores, openStores, schemaOf } from '@gantry/server';
import { type Database, migrate, openSqlite, sql } from '@gantry/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signed } from '../../../server/test/running-site.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { moveDatabase } from '../../src/move/move-database.ts';
import { readRows } from '../../src/move/read-rows.ts';
import { movedTables } from '../../src/move/tables.ts';
import { runSite } from '../running-site.ts';
import { contentOf, fullSite, masterKey, move, temporaryFolder } from './full-site.ts';

/** Makes an empty PostgreSQL database, in effect. */
async function emptyPostgres(): Promise<string> {
  const { url, remove } = await createSchema();
  onTestFinished(remove);
  return url;
}

/** Tables that begin anew, with the reason (docs/decisions/0079-moving.md). */
const leftTables: Readonly<Record<string, string>> = {
  schema_migration: 'written by the migrations of the new database',
  schema_release: 'written by the migrations of the new database',
  change_log: 'positions start anew: open pages load their results again',
  proxy_change_log: 'positions start anew: open pages load their results again',
  nonce: 'timestamps from before the move are refused instead',
  boot: 'of the database server that it was',
  shared_rate: 'full again within minutes, by the clock of the other database',
  unfinished_import: 'empty: an unfinished import is finished first',
};

async function contentAt(database: string) {
  const db = await openDatabase(database);
  try {
    return await contentOf(db);
  } finally {
    await db.close();
  }
}

describe.each(['site', 'proxy'] as const)('tables of a %s (decision 79)', (kind) => {
  async function unnamed(db: Database): Promise<readonly string[]> {
    const rows = await db.query<{ name: string }>(sql`
      select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name`);
    const listed = new Set([...movedTables[kind].map(({ name }) => name), ...Object.keys(leftTables)]);
    return rows.map(({ name }) => name).filter((name) => !listed.has(name));
  }

  test('a migration that adds a table says what move does with it', async () => {
    const db = openSqlite({ file: ':memory:' });
    for (const set of schemaOf(kind)) await migrate(db, set);
    expect(await unnamed(db)).toEqual([]);
    await db.query(sql`create table of_a_new_migration (id text)`); // control
    expect(await unnamed(db)).toEqual(['of_a_new_migration']);
    await db.close();
  });
});

test('there and back: every row of every table is the same (decision 79)', async () => {
  const data = await fullSite();
  const before = await contentAt(join(data, 'gantry.db'));
  for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0); // control: nothing is left out

  const postgres = await emptyPostgres();
  expect(await move(data, '--to', postgres)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Moved 4\d\d rows to postgres:\/\/…@\S+: both databases are equal\./),
  });
  expect(await contentAt(postgres)).toEqual(before);

  const back = join(data, 'back.db');
  expect(await move(data, '--database', postgres, '--to', back)).toMatchObject({ code: 0 });
  expect(await contentAt(back)).toEqual(before);
  await expect(openStores({ data, database: back, masterKey }).then(({ db }) => db.close())).resolves.toBeUndefined();
});

test.each(['PostgreSQL', 'SQLite'])(
  'a site moved to %s goes on: keys and tokens work, requests from before the move do not (contract §5)',
  async (name) => {
    const first = await runSite();
    onTestFinished(() => first.stop());
    await first.server.close();
    const postgres = await emptyPostgres();
    expect(await move(first.data, '--to', postgres)).toMatchObject({ code: 0 });
    const to = name === 'SQLite' ? join(first.data, 'moved.db') : postgres;
    if (name === 'SQLite')
      expect(await move(first.data, '--database', postgres, '--to', to)).toMatchObject({ code: 0 });

    const second = await runSite(['--database', to], {}, first.data);
    onTestFinished(() => second.server.close());
    const url = `${second.server.url}/social/rest/people/@me/@friends`;
    await expect.poll(async () => (await fetch(url, signed(url))).status).toBe(200);
    expect(await (await fetch(url, signed(url))).json()).toMatchObject({ totalResults: 2 });
    const old = signed(url, { timestamp: Math.floor(Date.now() / 1000) - 120 });
    expect((await fetch(url, old)).status).toBe(401);
  },
);

describe('an interrupted move (decision 79)', () => {
  /** Fails each call of one kind after some, as if the process had ended there. */
  function endingAfter(db: Database, batches: number): Database {
    let left = batches;
    return {
      ...db,
      query: (statement) => db.query(statement),
      batch(statements) {
        if (left-- <= 0) throw new Error('the process ended');
        return db.batch(statements);
      },
      snapshot: (work) => db.snapshot(work),
      close: () => db.close(),
    };
  }

  test.each(['PostgreSQL', 'SQLite'])(
    'into %s goes on wherever it ended, and no server starts before its end',
    async (name) => {
      const data = await fullSite(12);
      const file = join(data, 'gantry.db');
      const before = await contentAt(file);
      const database = name === 'SQLite' ? join(data, 'new.db') : await emptyPostgres();
      const from = await openDatabase(file);
      onTestFinished(() => from.close());
      let ended = 0;
      for (let batches = 0; ; batches += 3) {
        const to = await openDatabase(database);
        const options = { from, kind: 'site', source: 'the old one', prepare: async () => {} } as const;
        const error = await moveDatabase({ ...options, to: endingAfter(to, batches) }).then(
          () => undefined,
          (reason: Error) => reason,
        );
        await to.close();
        if (error === undefined) break;
        expect(error.message).toBe('the process ended');
        ended += 1;
        if (batches > 0) {
          await expect(openStores({ data, database })).rejects.toThrow('unfinished gantry move: run that again first');
        }
      }
      expect(ended).toBeGreaterThan(4);
      expect(await contentAt(database)).toEqual(before);
      await (await openStores({ data, database, masterKey })).db.close(); // control: it starts afterwards
    },
  );

  test('into a database that another site began to fill is refused', async () => {
    const [one, other] = [await fullSite(2), await fullSite(2)];
    const database = join(one, 'new.db');
    const to = await openDatabase(database);
    const from = await openDatabase(join(one, 'gantry.db'));
    const options = { from, kind: 'site', source: 'another', prepare: async () => {} } as const;
    await expect(moveDatabase({ ...options, to: endingAfter(to, 5) })).rejects.toThrow('the process ended');
    for (const db of [to, from]) await db.close();
    expect(await move(other, '--to', database)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^The new database is half filled from another, not from \S+: name another one\.$/),
    });
  });

  test('whose source was written to meanwhile is found by the comparison', async () => {
    const data = await fullSite(8);
    const from = await openDatabase(join(data, 'gantry.db'));
    const to = await openDatabase(join(data, 'new.db'));
    const options = { from, kind: 'site', source: 'it', prepare: async () => {} } as const;
    await expect(moveDatabase({ ...options, to: endingAfter(to, 30) })).rejects.toThrow('the process ended');
    await from.query(sql`update member set region = 'elsewhere' where id = 'm-0'`);
    await expect(moveDatabase({ ...options, to })).rejects.toThrow(
      'The table member differs: the old database was written to since the move began.',
    );
    for (const db of [to, from]) await db.close();
  });
});

test.each(['PostgreSQL', 'SQLite'])(
  'a database that a server has is not moved, from %s or to it (decision 79)',
  async (name) => {
    const database = name === 'PostgreSQL' ? await emptyPostgres() : undefined;
    const site = await runSite(database === undefined ? [] : ['--database', database]);
    onTestFinished(() => site.stop());
    const named = database === undefined ? [] : ['--database', database];
    const target = join(temporaryFolder(), 'new.db');
    const refused = {
      code: 2,
      err: expect.stringMatching(/ is in use, or out of reach \(.*\): stop the site's servers first\.$/),
    };
    expect(await move(site.data, ...named, '--to', target)).toMatchObject(refused);
    if (database !== undefined) expect(await move(await fullSite(2), '--to', database)).toMatchObject(refused);
    await site.server.close();
    await expect.poll(async () => (await move(site.data, ...named, '--to', target)).code).toBe(0); // control
  },
);

test('the database of gantry proxy moves, too', async () => {
  const data = temporaryFolder();
  const { db } = await openProxyStores({ data, database: join(data, 'gantry.db') });
  await db.query(sql`
    insert into app_registrations (id, folder, manifest, consumer_key, consumer_secret) values ('notes', '/n', '{}', 'c', 'v1.x')`);
  await db.close();
  const postgres = await emptyPostgres();
  expect(JSON.parse((await move(data, '--to', postgres, '--json')).out)).toMatchObject({
    rows: { app_registrations: 1 },
  });
  const moved = await openProxyStores({ data, database: postgres });
  expect(await moved.db.query(sql`select id from app_registrations`)).toEqual([{ id: 'notes' }]);
  await moved.db.close();
});

test.each([
  ['no --to', async () => [], 'gantry move needs --to DATABASE. See gantry move --help.'],
  [
    'the same database',
    async (data: string) => ['--to', join(data, 'gantry.db')],
    '--to names the database that the site has.',
  ],
  [
    'one that has a site',
    async () => ['--to', join(await fullSite(2), 'gantry.db')],
    'The new database is not empty: it has the tables of a site. Name an empty one.',
  ],
  [
    'no source',
    async (data: string) => ['--to', join(data, 'new.db'), '--database', join(data, 'none.db')],
    /^There is no database at .*none\.db\. Name the site's with --data or --database\.$/,
  ],
  [
    'another kind of address',
    async () => ['--to', 'mysql://db.example/x'],
    /must be the path of an SQLite file or postgres:/,
  ],
])('%s is refused in one line', async (_, args, message) => {
  const data = await fullSite(2);
  const { code, err } = await move(data, ...(await args(data)));
  expect([code, err]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  expect(existsSync(join(data, 'none.db'))).toBe(false);
});

test('an unfinished import is finished first', async () => {
  const data = await fullSite(2);
  const db = await openDatabase(join(data, 'gantry.db'));
  await db.query(sql`insert into unfinished_import values (1, 'f', 'p', 0, 1, 1, 1)`);
  await db.close();
  expect(await move(data, '--to', join(data, 'new.db'))).toMatchObject({
    code: 2,
    err: 'An import is unfinished: finish it with gantry import first.',
  });
});

test('rows are read in pages of about a megabyte, whatever their size (security rule 25)', async () => {
  const db = openSqlite({ file: ':memory:' });
  await db.query(sql`create table setting (name text primary key, value text not null)`);
  const large = 'x'.repeat(100_000);
  for (let index = 0; index < 200; index += 1) {
    await db.query(sql`insert into setting (name, value) values (${`n${1000 + index}`}, ${large})`);
  }
  const pages: number[] = [];
  for await (const page of readRows(db, { name: 'setting', key: ['name'] })) pages.push(page.length);
  expect(pages.reduce((sum, count) => sum + count, 0)).toBe(200);
  expect(Math.max(...pages.slice(1))).toBeLessThan(12);
  await db.query(sql`update setting set value = 'x'`); // control: small rows come in larger pages
  const small: number[] = [];
  for await (const page of readRows(db, { name: 'setting', key: ['name'] })) small.push(page.length);
  expect(small).toEqual([50, 150]);
  await db.close();
});
