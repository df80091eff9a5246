import { type Database, openSqlite, sql, withCopies } from '@gantry/store';
import { expect, test } from 'vitest';

/** A database whose one row names it. */
async function databaseNamed(name: string): Promise<Database> {
  const db = openSqlite({ file: ':memory:' });
  await db.batch([sql`create table place (name text)`, sql`insert into place values (${name})`]);
  return db;
}

const nameIn = async (db: Database | undefined) =>
  (await db?.query<{ name: string }>(sql`select name from place`))?.[0]?.name;
const silent = () => new Promise<never>(() => {});

async function newPlaces(change: (copy: Database) => Database = (copy) => copy) {
  const clock = { nowMs: 0 };
  const [primary, first, second] = [
    await databaseNamed('primary'),
    await databaseNamed('first'),
    await databaseNamed('second'),
  ] as const;
  const db = withCopies(primary, [change(first), second], { now: () => clock.nowMs, patienceMs: 20, answerMs: 20 });
  const find = async (isCurrent: (copy: Database) => Promise<boolean> = async () => true) =>
    (await db.copies?.find(isCurrent)) ?? db;
  return { db, find, clock };
}

test('copies take turns, and only one that is current answers', async () => {
  const { find, db } = await newPlaces();
  expect([await nameIn(await find()), await nameIn(await find())].toSorted()).toEqual(['first', 'second']);
  expect(await nameIn(await find(async () => false))).toBe('primary');
  expect(await nameIn(db)).toBe('primary');
});

test('a batch through a copy goes to the database itself', async () => {
  const { find } = await newPlaces();
  const [rows] = await (await find()).batch([sql`select name from place`]);
  expect(rows).toEqual([{ name: 'primary' }]);
});

test.each([
  ['fails', async () => Promise.reject(new Error('gone'))],
  ['is silent', silent],
])('a copy that %s when it is asked rests for two seconds', async (_, ask) => {
  const { find, clock } = await newPlaces();
  const asked: (string | undefined)[] = [];
  const isCurrent = async (copy: Database) => {
    const name = await nameIn(copy);
    asked.push(name);
    return name === 'first' ? ask() : true;
  };
  for (let read = 0; read < 4; read++) await find(isCurrent);
  expect(asked.filter((name) => name === 'first')).toHaveLength(1);
  clock.nowMs = 2_000;
  for (let read = 0; read < 2; read++) await find(isCurrent);
  expect(asked.filter((name) => name === 'first')).toHaveLength(2);
});

test.each([
  ['fails', async () => Promise.reject(new Error('gone'))],
  ['is silent', silent],
])('what a copy that %s was asked, the database answers', async (_, query) => {
  const { find } = await newPlaces((copy) => ({ ...copy, query }));
  const found = [await find(), await find()];
  expect((await Promise.all(found.map(nameIn))).toSorted()).toEqual(['primary', 'second']);
});
