import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, openSqlite, type SqliteOptions, type Statement, sql } from '@gantry/store';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';

let folder: string;
let file: string;
let opened: Database[];

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'test.sqlite');
  opened = [];
});

afterEach(() => Promise.all(opened.map((db) => db.close())));

async function open(options: Omit<SqliteOptions, 'file'> = {}): Promise<Database> {
  const db = openSqlite({ file, ...options });
  opened.push(db);
  await db.query(sql`create table if not exists note (id integer primary key, body text not null)`);
  return db;
}

const insert = (id: number, body = 'x'): Statement => sql`insert into note (id, body) values (${id}, ${body})`;

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const ids = async (db: Database): Promise<unknown[]> =>
  (await db.query(sql`select id from note order by id`)).map((row) => row.id);

/**
 * Transactions in the write-ahead log: the last frame of each tells the size of the database
 * (sqlite.org/fileformat.html §4.1).
 */
function commits(): number {
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) count++;
  return count;
}

test('lets writes that come at the same time share one transaction, and so one sync (ADR 12)', async () => {
  const db = await open();
  const before = commits();
  await Promise.all(numbers(1, 32).map((id) => (id % 2 === 0 ? db.query(insert(id)) : db.batch([insert(id)]))));
  expect(commits() - before).toBe(1);
  expect(await ids(db)).toEqual(numbers(1, 32));
});

test('a group ends by its work, and reads get their turn between groups (security rule 25)', async () => {
  const db = await open();
  const wide = (writer: number) =>
    sql`insert into note (id, body) values ${sql.rows(numbers(1, 1_000).map((row) => [writer * 1_000 + row, 'x']))}`;
  const long = (writer: number) => insert(100_000 + writer, 'x'.repeat(400_000));
  for (const [write, inGroup] of [[wide, 1] as const, [long, 2] as const]) {
    const before = commits();
    const seen = new Set<unknown>();
    let isOver = false;
    const writes = Promise.all(numbers(1, 8).map((writer) => db.query(write(writer)))).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise(setImmediate);
      seen.add((await db.query(sql`select count(*) as count from note`))[0]?.count);
    }
    await writes;
    expect(commits() - before).toBe(8 / inGroup);
    expect(seen.size).toBeGreaterThanOrEqual(8 / inGroup); // at least one per group
  }
});

test('positive control: without grouping each has its own', async () => {
  const db = await open({ grouping: false });
  const before = commits();
  await Promise.all(numbers(1, 32).map((id) => db.query(insert(id))));
  expect(commits() - before).toBe(32);
});

test('answers a write when another connection can see it, never before (security rule 22)', async () => {
  const db = await open();
  const other = new DatabaseSync(file, { readOnly: true });
  const seen = await Promise.all(
    numbers(1, 10).map(async (id) => {
      await db.query(insert(id));
      return other.prepare('select count(*) as count from note where id = ?').get(id)?.count;
    }),
  );
  expect(seen).toEqual(new Array(10).fill(1));
  other.close();
});

test('gives each write of a group its own rows', async () => {
  const db = await open();
  const rows = await Promise.all(
    ['a', 'b', 'c'].map((body) => db.query(sql`insert into note (body) values (${body}) returning id, body`)),
  );
  expect(rows.map(([row]) => [row?.id, row?.body])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
});

test('leaves the others of a group alone when one fails, and all of that one undone', async () => {
  const db = await open();
  await db.query(insert(2));
  const outcomes = await Promise.allSettled([
    db.query(insert(1)),
    db.batch([insert(10), insert(2)]),
    db.batch([insert(11), sql`insert into nowhere values (1)`]),
    db.batch([insert(3), insert(4)]),
  ]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'StoreError', reason: 'constraint' } },
    { status: 'rejected', reason: { name: 'StoreError', reason: 'other' } },
    { status: 'fulfilled' },
  ]);
  expect(await ids(db)).toEqual([1, 2, 3, 4]);
});

test('stores what fits when one write of a group is too large for the disk (security rule 23)', async () => {
  const db = await open();
  await db.query(sql`pragma max_page_count = 20`);
  const outcomes = await Promise.allSettled([
    db.query(insert(1)),
    db.query(insert(2, 'x'.repeat(200_000))),
    db.query(insert(3)),
  ]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'StoreError', reason: 'full' } },
    { status: 'fulfilled' },
  ]);
  expect(await ids(db)).toEqual([1, 3]);
});

test('stores the others when one write ends the transaction of the whole group', async () => {
  const db = await open();
  await db.query(insert(2));
  const outcomes = await Promise.allSettled([
    db.query(insert(1)),
    db.query(sql`insert or rollback into note (id, body) values (2, 'y')`),
    db.query(insert(3)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await ids(db)).toEqual([1, 2, 3]);
});

test('stores exactly the batches that it acknowledged, whichever fail (security rule 22)', async () => {
  const db = await open();
  const aBatch = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(aBatch, { maxLength: 20 }), async (batches) => {
      await db.query(sql`delete from note`);
      const outcomes = await Promise.allSettled(batches.map((batch) => db.batch(batch.map((id) => insert(id)))));
      const acknowledged = batches.filter((_, index) => outcomes[index]?.status === 'fulfilled').flat();
      expect(await ids(db)).toEqual(acknowledged.sort((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});

test('reads at once while a write waits for the lock of another process, and lets later writes wait with it', async () => {
  const db = await open();
  const other = new DatabaseSync(file);
  other.exec('begin immediate');
  const writes = [db.query(insert(1))];
  expect(await ids(db)).toEqual([]);
  expect(await db.batch([sql`select count(*) as count from note`, sql`select 1 as one`])).toMatchObject([
    [{ count: 0 }],
    [{ one: 1 }],
  ]);
  writes.push(db.query(insert(2)));
  other.exec('commit');
  const before = commits();
  await Promise.all(writes);
  expect(commits() - before).toBe(1);
  other.close();
});

test.each([
  ['insert', sql`insert into note (body) values ('y')`],
  ['insert … returning', sql`insert into note (body) values ('y') returning id`],
  ['insert after with', sql`with new (body) as (select 'y') insert into note (body) select body from new`],
  ['update', sql`update note set body = 'y'`],
  ['delete', sql`delete from note where id = 1`],
  ['replace', sql`/* select */ replace into note (id, body) values (1, 'y')`],
  ['create', sql`create table if not exists other (id integer)`],
])('knows that %s writes, and so waits with the others', async (_, statement) => {
  const db = await open();
  await db.query(insert(1));
  const before = commits();
  await Promise.all([db.query(statement), db.query(insert(99))]);
  expect(commits() - before).toBe(1);
});

test('runs what may not stand in a transaction by itself', async () => {
  const db = await open();
  await Promise.all([db.query(insert(1)), db.query(sql`vacuum`), db.query(sql`pragma wal_checkpoint(truncate)`)]);
  expect(await ids(db)).toEqual([1]);
});

test('finishes the writes that wait before it closes (security rule 21)', async () => {
  const db = await open();
  const writes = Promise.all(numbers(1, 100).map((id) => db.query(insert(id))));
  await db.close();
  await writes;
  expect(await ids(await open())).toEqual(numbers(1, 100));
});
