import { type Database, openSqlite, type Statement, sql } from '@gantry/store';
import { afterEach, expect, test } from 'vitest';
import { createReadiness } from '../src/readiness.ts';

const db = openSqlite({ file: ':memory:' });
let asked = 0;
/** The database, with its questions counted. */
const counted: Database = {
  ...db,
  query<R>(statement: Statement) {
    asked++;
    return db.query<R>(statement);
  },
};

afterEach(() => {
  asked = 0;
});

test('asks the database at most four times a second, however many ask', async () => {
  await db.query(sql`create table if not exists schema_migration (set_name text, number integer)`);
  let nowMs = 1_000;
  const readiness = createReadiness(counted, { now: () => nowMs });
  const statuses = async () => (await Promise.all([readiness(), readiness(), readiness()])).map(({ status }) => status);
  expect([await statuses(), await statuses(), asked]).toEqual([[200, 200, 200], [200, 200, 200], 1]);
  nowMs += 250;
  expect([await statuses(), asked]).toEqual([[200, 200, 200], 2]);
});

test('says no for a database that does not answer in time', async () => {
  const silent: Database = { ...db, query: () => new Promise(() => {}) };
  const response = await createReadiness(silent, { patienceMs: 10 })();
  expect([response.status, await response.json()]).toEqual([503, { status: 'database unavailable' }]);
});
