import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { type Database, sql } from '../src/index.ts';
import { openSqlite } from '../src/sqlite.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});
function open(): Database {
  const db = openSqlite({ file: join(folder, 'recall.db'), sync: 'normal', grouping: true });
  onTestFinished(() => db.close());
  return db;
}

const read = (db: Database, id: string, isRepeated = true) => {
  const statement = sql`select id, n from item where id = ${id} order by id`;
  return db.query(isRepeated ? sql.repeated(statement) : statement);
};

async function openPair(): Promise<readonly [Database, Database]> {
  const own = open();
  await own.query(sql`create table item (id text primary key, n integer) strict`);
  return [own, open()];
}

describe('a repeated read', () => {
  test('is answered from memory while nothing changes (decision 90)', async () => {
    const [own] = await openPair();
    await own.query(sql`insert into item (id, n) values ('a', 1)`);
    const first = await read(own, 'a');
    expect(first).toEqual([{ id: 'a', n: 1 }]);
    expect(await read(own, 'a')).toBe(first);
    expect(await read(own, 'a', false)).not.toBe(first); // control: a read that is not marked
    expect(await read(own, 'b')).toEqual([]);
  });

  test('is frozen, since others get the same rows', async () => {
    const [own] = await openPair();
    await own.query(sql`insert into item (id, n) values ('a', 1)`);
    const rows = (await read(own, 'a')) as { n: number }[];
    expect(() => rows.push({ n: 2 })).toThrow(TypeError);
    expect(() => Object.assign(rows[0] as object, { n: 2 })).toThrow(TypeError);
  });

  test('is told apart by the types and the borders of its values', async () => {
    const [own] = await openPair();
    const pair = (a: string | number | null, b: string | number | null) =>
      own.query(sql.repeated(sql`select ${a} as a, ${b} as b`));
    const values = [1, '1', null, 'null', 'a', 'a b', 'b', '', ' ', 'string1 a'];
    for (const a of values) for (const b of values) expect(await pair(a, b)).toEqual([{ a, b }]);
    for (const a of values) for (const b of values) expect(await pair(a, b)).toEqual([{ a, b }]);
  });

  test('keeps neither long nor many results, nor bytes', async () => {
    const [own] = await openPair();
    const kept = async (statement: ReturnType<typeof sql>) => {
      const first = await own.query(sql.repeated(statement));
      return first === (await own.query(sql.repeated(statement)));
    };
    const numbers = (count: number) => sql`
      with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count}) select n from number`;
    expect(await kept(numbers(64))).toBe(true);
    expect(await kept(numbers(65))).toBe(false);
    expect(await kept(sql`select ${'x'.repeat(2_000)} as text`)).toBe(true);
    expect(await kept(sql`select ${'x'.repeat(4_096)} as text`)).toBe(false);
    expect(await kept(sql`select zeroblob(4) as bytes`)).toBe(false);
    expect(await kept(sql`select ${new Uint8Array(4)} is null as empty`)).toBe(false);
    const first = await read(own, 'a');
    for (let count = 0; count < 2_000; count++) await read(own, `other ${count}`);
    expect(await read(own, 'a')).not.toBe(first);
  });

  // Writes of this connection and of another one: alone, in a group, and rolled back.
  const step = fc.record({
    kind: fc.constantFrom('alone', 'group', 'failing'),
    by: fc.nat(1),
    id: fc.constantFrom('a', 'b'),
    n: fc.nat(3),
  });
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  async function act(dbs: readonly [Database, Database], { kind, by, id, n }: Step) {
    const db = dbs[by] as Database;
    const set = sql`insert into item (id, n) values (${id}, ${n}) on conflict (id) do update set n = excluded.n`;
    if (kind === 'alone') await db.query(set);
    if (kind === 'failing') {
      await expect(db.batch([set, sql`insert into item (id, n) values (${id}, 1)`])).rejects.toThrow();
    }
    if (kind === 'group') await Promise.all([db.batch([set]), db.query(set), read(db, id)]);
  }

  test('shows what an unmarked read shows, after any writes of this and of another connection', async () => {
    const dbs = await openPair();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const one of steps) {
          for (const db of dbs) for (const id of ['a', 'b']) await read(db, id);
          await act(dbs, one);
          for (const db of dbs) {
            for (const id of ['a', 'b']) expect(await read(db, id)).toEqual(await read(db, id, false));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
