import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, openSqlite, StoreError, sql } from '@gantry/store';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { describeStore } from './store-contract.ts';

describeStore('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-store-'));
  return {
    connect: () => openSqlite({ file: join(folder, 'contract.sqlite') }),
    remove: () => rm(folder, { recursive: true }),
  };
});

let folder: string;
let file: string;

beforeEach(async () => {
  folder = folderForTest();
  file = join(folder, 'test.sqlite');
});

const full = 2;
const normal = 1;

test('syncs every commit to disk by default (security rule 22)', async () => {
  const db = openSqlite({ file });
  expect(await db.query(sql`pragma synchronous`)).toMatchObject([{ synchronous: full }]);
  expect(await db.query(sql`pragma journal_mode`)).toMatchObject([{ journal_mode: 'wal' }]);
  await db.close();
});

test('positive control: the same question sees the weaker level where it was asked for', async () => {
  const db = openSqlite({ file, sync: 'normal' });
  expect(await db.query(sql`pragma synchronous`)).toMatchObject([{ synchronous: normal }]);
  await db.close();
});

test('distrusts the schema of the file and checks foreign keys', async () => {
  const db = openSqlite({ file });
  expect(await db.query(sql`pragma trusted_schema`)).toMatchObject([{ trusted_schema: 0 }]);
  expect(await db.query(sql`pragma foreign_keys`)).toMatchObject([{ foreign_keys: 1 }]);
  await db.close();
});

test('keeps an acknowledged write when the process is killed (security rule 22)', async () => {
  const writer = spawn(process.execPath, [
    ...['--conditions=@gantry/source', '--input-type=module', '--eval'],
    `import { openSqlite, sql } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
     const db = openSqlite({ file: ${JSON.stringify(file)} });
     await db.batch([sql\`create table t (n integer)\`, sql\`insert into t values (\${1})\`]);
     console.log('acknowledged');
     setInterval(() => {}, 1000);`,
  ]);
  await once(writer.stdout, 'data');
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  const db = openSqlite({ file });
  expect(await db.query(sql`select n from t`)).toMatchObject([{ n: 1 }]);
  await db.close();
});

test('waits for the lock of another process without holding up its own', async () => {
  const db = openSqlite({ file });
  await db.query(sql`create table t (n integer)`);
  const other = new DatabaseSync(file);
  other.exec('begin immediate');
  const write = db.batch([sql`insert into t values (${1})`]);
  expect(await db.query(sql`select n from t`)).toEqual([]); // reads go on (security rule 23)
  other.exec('commit');
  await write;
  expect(await db.query(sql`select n from t`)).toMatchObject([{ n: 1 }]);
  other.close();
  await db.close();
});

test('says that a database is unavailable while it stays locked, and recovers (security rule 23)', async () => {
  const db = openSqlite({ file, lockTimeoutMs: 10 });
  await db.query(sql`create table t (n integer)`);
  const other = new DatabaseSync(file);
  other.exec('begin immediate');
  await expect(db.query(sql`insert into t values (${1})`)).rejects.toMatchObject({ reason: 'unavailable' });
  await expect(db.batch([sql`insert into t values (${2})`])).rejects.toMatchObject({ reason: 'unavailable' });
  other.exec('rollback');
  await db.query(sql`insert into t values (${3})`);
  expect(await db.query(sql`select n from t`)).toMatchObject([{ n: 3 }]);
  other.close();
  await db.close();
});

test('says that a database is full, undoes the batch, and goes on reading (security rule 23)', async () => {
  const db = openSqlite({ file });
  await db.query(sql`create table t (bytes blob)`);
  await db.query(sql`insert into t values (${Uint8Array.of(1)})`);
  await db.query(sql`pragma max_page_count = 10`);
  const batch = db.batch(Array.from({ length: 100 }, () => sql`insert into t values (${new Uint8Array(4096)})`));
  await expect(batch).rejects.toMatchObject({ name: 'StoreError', reason: 'full' });
  expect(await db.query(sql`select count(*) as count from t`)).toMatchObject([{ count: 1 }]);
  await db.query(sql`insert into t values (${Uint8Array.of(2)})`);
  await db.close();
});

test('says that a read-only database cannot be written to (security rule 23)', async () => {
  const db = openSqlite({ file });
  await db.query(sql`create table t (n integer)`);
  await db.query(sql`pragma query_only = on`);
  await expect(db.query(sql`insert into t values (${1})`)).rejects.toMatchObject({ reason: 'full' });
  await db.close();
});

test('fails to open where there is no folder, with a StoreError', () => {
  const open = () => openSqlite({ file: join(folder, 'no such folder', 'test.sqlite') });
  expect(open).toThrow(StoreError);
});

test('runs more different texts than it keeps prepared', async () => {
  const db = openSqlite({ file: ':memory:' });
  const list = (size: number) =>
    sql`select ${size} in (${sql.join(Array.from({ length: size }, (_, i) => i + 1))}) as found`;
  for (let size = 1; size <= 600; size += 1) {
    expect(await db.query(list(size))).toMatchObject([{ found: 1 }]);
  }
  expect(await db.query(list(1))).toMatchObject([{ found: 1 }]);
  await db.close();
});

test('sees a column that another process added, through a statement prepared before', async () => {
  const [db, other] = [openSqlite({ file }), openSqlite({ file })];
  await db.query(sql`create table t (a text)`);
  await db.query(sql`insert into t (a) values (${'x'})`);
  const all = sql`select * from t`;
  expect(await db.query(all)).toEqual([{ a: 'x' }]);
  await other.query(sql`alter table t add column b text`);
  expect(await db.query(all)).toEqual([{ a: 'x', b: null }]);
  await db.close();
  await other.close();
});

test('sees a column that a migration added, through a statement prepared before', async () => {
  const db = openSqlite({ file: ':memory:' });
  const create = { number: 1, name: 'create', statements: [sql`create table t (a text)`] };
  const widen = { number: 2, name: 'widen', statements: [sql`alter table t add column b text`] };
  await migrate(db, { name: 'proxy', migrations: [create] });
  await db.query(sql`insert into t (a) values (${'x'})`);
  expect(await db.query(sql`select * from t`)).toMatchObject([{ a: 'x' }]);
  await migrate(db, { name: 'proxy', migrations: [create, widen] });
  expect(await db.query(sql`select * from t`)).toMatchObject([{ a: 'x', b: null }]);
  await db.close();
});
