import { serviceMigrations } from '@gantry/service';
import { type Database, migrate, openSqlite, type Statement, sql } from '@gantry/store';
import { afterEach, expect, test } from 'vitest';
import { createReadiness } from '../../src/telemetry/readiness.ts';

const db = openSqlite({ file: ':memory:' });
let writes = 0;
/** The database, with its writes counted: they cost a sync. */
const counted: Database = {
  ...db,
  query<R>(statement: Statement) {
    if (statement.strings[0]?.startsWith('update')) writes++;
    return db.query<R>(statement);
  },
};

afterEach(() => {
  writes = 0;
});

test('asks the database at most four times a second, however many ask', async () => {
  await db.query(sql`create table if not exists schema_migration (set_name text, number integer)`);
  await db.query(sql`create table if not exists unfinished_import (one integer)`);
  let nowMs = 1_000;
  const readiness = createReadiness(counted, { now: () => nowMs });
  const statuses = async () => (await Promise.all([readiness(), readiness(), readiness()])).map(({ status }) => status);
  expect([await statuses(), await statuses(), writes]).toEqual([[200, 200, 200], [200, 200, 200], 1]);
  nowMs += 250;
  expect([await statuses(), writes]).toEqual([[200, 200, 200], 2]);
});

test('says no for a database that does not answer in time', async () => {
  const silent: Database = { ...db, query: () => new Promise(() => {}) };
  const response = await createReadiness(silent, { patienceMs: 10 })();
  expect([response.status, await response.json()]).toEqual([503, { status: 'database unavailable' }]);
});

test('says importing while a world is only partly there (contract §9)', async () => {
  const importing = openSqlite({ file: ':memory:' });
  await migrate(importing, { name: 'service', migrations: serviceMigrations });
  const status = async () => (await createReadiness(importing)()).json();
  expect(await status()).toEqual({ status: 'ready' });
  await importing.query(sql`
    insert into unfinished_import (one, file, fingerprint, indexes_last, next_offset, next_line, records)
    values (1, 'w.jsonl', '', 0, 0, 1, 0)`);
  expect(await status()).toEqual({ status: 'importing' });
});
