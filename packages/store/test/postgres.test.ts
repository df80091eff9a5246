import { inspect } from 'node:util';
import { type Database, openPostgres, sql } from '@gantry/store';
import fc from 'fast-check';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, postgresUrl, type Schema } from './postgres.ts';
import { describeStore } from './store-contract.ts';

describeStore('PostgreSQL', async () => {
  const schema = await createSchema();
  return { connect: () => schema.connect(), remove: () => schema.remove() };
});

let schema: Schema;
let db: Database;
beforeEach(async () => {
  schema = await createSchema();
  db = schema.connect({ lockTimeoutMs: 100 });
});
afterEach(async () => {
  await db.close();
  await schema.remove();
});

test('text is ordered by code point in a database that orders as in English (contract §1)', async () => {
  const words = ['b', 'B', 'a', '_', 'é', 'Z'];
  await db.batch([sql`create table word (t text)`, ...words.map((word) => sql`insert into word values (${word})`)]);
  const ordered = await db.query<{ t: string }>(sql`select t from word order by t`);
  expect(ordered.map(({ t }) => t)).toEqual(['B', 'Z', '_', 'a', 'b', 'é']);
  const control = await db.query<{ t: string }>(sql`select t from word order by t collate "default"`);
  expect(control.map(({ t }) => t)).toEqual(['_', 'a', 'b', 'B', 'é', 'Z']);
});

test('text with NUL keeps its order too, and one text has one form', async () => {
  await db.query(sql`create table word (t text primary key)`);
  const text = fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', '0', '1', 'a') });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { maxLength: 8 }), async (words) => {
      const [, , rows] = await db.batch([
        sql`delete from word`,
        sql`insert into word select ${''} where 1 = 0 ${sql.join(
          words.map((word) => sql`union all select ${word}`),
          sql` `,
        )}`,
        sql`select t from word order by t`,
      ]);
      expect(rows?.map(({ t }) => t)).toEqual(words.toSorted((a, b) => (a < b ? -1 : 1)));
    }),
    { numRuns: 50 },
  );
});

test('bytes of an added column are not compressed (decision 87)', async () => {
  await db.batch([sql`create table picture (id text, small blob)`, sql`alter table picture add column bytes blob`]);
  await db.query(sql`insert into picture values ('a', ${new Uint8Array(9)}, ${new Uint8Array(100_000)})`);
  const [row] = await db.query(sql`select pg_column_size(bytes) as size from picture`);
  expect(row).toEqual({ size: 100_000 });
  const storage = await db.query(sql`
    select attname, attstorage from pg_attribute where attrelid = 'picture'::regclass and atttypid = 'bytea'::regtype`);
  expect(storage).toEqual([
    { attname: 'small', attstorage: 'x' },
    { attname: 'bytes', attstorage: 'e' },
  ]);
});

test('booleans are 0 and 1, sums and counts are numbers', async () => {
  const [row] = await db.query(
    sql`select 1 = 1 as yes, 1 = 2 as no, sum(n) as sum, count(*) as count from (values (2), (3)) as v (n)`,
  );
  expect(row).toEqual({ yes: 1, no: 0, sum: 5, count: 2 });
});

test('a lock that stays is unavailable, and a statement afterwards works (security rule 23)', async () => {
  await db.batch([sql`create table t (id text primary key)`, sql`insert into t values (${'1'})`]);
  const other = new pg.Client(schema.url);
  await other.connect();
  await other.query('begin; select * from t for update');
  await expect(db.query(sql`delete from t`)).rejects.toMatchObject({ reason: 'unavailable' });
  await other.query('rollback');
  expect(await db.query(sql`delete from t returning id`)).toEqual([{ id: '1' }]);
  await other.end();
});

test('transactions that lock in opposite order both succeed: the victim is repeated', async () => {
  await db.batch([
    sql`create table t (id text primary key, n bigint)`,
    sql`insert into t values (${'a'}, 0), (${'b'}, 0)`,
  ]);
  const add = (id: string) => sql`update t set n = n + 1 where id = ${id}`;
  const patient = schema.connect({ lockTimeoutMs: 120_000 }); // ten victims in a row take a second each
  const orders = Array.from({ length: 10 }, (_, index) => (index % 2 ? ['a', 'b'] : ['b', 'a']));
  await Promise.all(orders.map((ids) => patient.batch(ids.map(add))));
  expect(await db.query(sql`select id, n from t order by id`)).toEqual([
    { id: 'a', n: 10 },
    { id: 'b', n: 10 },
  ]);
  await patient.close();
});

test('after its connections were ended it connects anew, by itself (security rule 23)', async () => {
  const hanging = db.query(sql`select pg_sleep(20)`);
  const ended = expect(hanging).rejects.toMatchObject({ reason: 'unavailable' });
  const admin = openPostgres({ url: await postgresUrl() });
  await expect
    .poll(() =>
      admin.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where query like ${'select pg_sleep%'} and pid <> pg_backend_pid()`),
    )
    .not.toEqual([]);
  await ended;
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await admin.close();
});

test('a batch without checks stores any key, while nothing else writes its tables', async () => {
  const child = (parent: number) => sql`insert into child (parent) values (${parent})`;
  await db.batch([
    sql`create table parent (id integer primary key)`,
    sql`create table child (parent integer not null references parent (id))`,
  ]);
  const bulk = schema.connect({ bulk: true, lockTimeoutMs: 100 });
  try {
    await bulk.batchUnchecked?.([child(1), child(2)], sql`parent`);
    expect(await db.query(sql`select parent from child`)).toEqual([{ parent: 1 }, { parent: 2 }]);
    await expect(bulk.batch([child(3), child(4)])).rejects.toMatchObject({ reason: 'constraint' });
    const other = new pg.Client(schema.url);
    await other.connect();
    await other.query('begin; insert into parent (id) values (5)');
    await expect(bulk.batchUnchecked?.([child(5)], sql`parent`)).rejects.toMatchObject({ reason: 'unavailable' });
    await other.query('rollback');
    await other.end();
  } finally {
    await bulk.close();
  }
});

test('a server that is not there is unavailable, and no message holds the password (security rule 8)', async () => {
  const { href } = Object.assign(new URL(await postgresUrl()), { port: '1' });
  const wrong = Object.assign(new URL(await postgresUrl()), { password: 'not-this-one' });
  for (const url of [href, wrong.href]) {
    const away = openPostgres({ url });
    const error = await away.query(sql`select 1 as one`).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'StoreError', reason: 'unavailable' });
    const { password } = new URL(url);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(password);
    await away.close();
  }
});

test('an error repeats no row: it may hold what must not be logged (security rule 8)', async () => {
  await db.query(sql`create table t (id text primary key, secret text not null, n bigint not null)`);
  const error = await db.query(sql`insert into t values (${'1'}, ${'hush'}, null)`).catch((reason) => reason);
  expect(error).toMatchObject({ reason: 'constraint' });
  expect(inspect(error, { depth: 9 })).not.toContain('hush');
});
