import { type Database, openPostgres, sql } from '@gantry/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, fixed, type Schema } from './postgres.ts';

// Tests of what a pooler takes away: settings of the session, and names of statements.

let schema: Schema;
let db: Database;
beforeEach(async () => {
  schema = await createSchema();
  db = schema.connect();
});
afterEach(async () => {
  await db.close();
  await schema.remove();
});

test('a read-only server is full, as a full disk is', async () => {
  await db.query(sql`create table t (id text)`);
  const readOnly = openPostgres({ url: `${schema.url}%20-c%20default_transaction_read_only%3Don` });
  await expect(readOnly.query(sql`insert into t values (${'1'})`)).rejects.toMatchObject({ reason: 'full' });
  expect(await readOnly.query(sql`select id from t`)).toEqual([]);
  await readOnly.close();
});

test('a connection that turned read-only is closed, since its server may be a standby now', async () => {
  const one = openPostgres({ url: schema.url, connections: 1 });
  const connection = async () => (await one.query<{ id: number }>(sql`select pg_backend_pid() as id`))[0]?.id;
  await db.query(sql`create table t (id text)`);
  const first = await connection();
  expect(await connection()).toBe(first);
  await one.query(sql`set default_transaction_read_only = on`);
  await expect(one.query(sql`insert into t values (${'1'})`)).rejects.toMatchObject({ reason: 'full' });
  expect(await connection()).not.toBe(first);
  await one.query(sql`insert into t values (${'1'})`);
  await one.close();
});

test('a role that may not switch checks off has them in a batch without checks', async () => {
  await db.batch([
    sql`create table parent (id integer primary key)`,
    sql`create table child (parent integer not null references parent (id))`,
  ]);
  await db.query(fixed(`grant all on schema ${schema.name} to public`));
  await db.query(fixed(`grant all on all tables in schema ${schema.name} to public`));
  const plain = openPostgres({ url: `${schema.url}%20-c%20role%3Dpg_monitor`, bulk: true });
  const child = sql`insert into child (parent) values (1)`;
  await expect(plain.batchUnchecked?.([child, child], sql`parent`)).rejects.toMatchObject({ reason: 'constraint' });
  await plain.close();
  const bulk = schema.connect({ bulk: true }); // control
  expect(await bulk.batchUnchecked?.([child, child], sql`parent`)).toHaveLength(2);
  await bulk.close();
});

test('more different texts than are kept prepared all run', async () => {
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 250; index++) {
      const [row] = await db.query<{ n: number }>(fixed(`select ${index} as n`));
      expect(row?.n).toBe(index);
    }
  }
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
    sql`select count(*) as count from pg_prepared_statements`,
  );
  expect(count).toBe(200);
});
