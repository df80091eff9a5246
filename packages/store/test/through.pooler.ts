import { type Database, sql } from '@gantry/store';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, fixed, postgresUrl, type Schema } from './postgres.ts';

// `npm run cluster -- pooler` runs these, in each mode of PgBouncer (docs/guides/databases.md).

const [mode] = process.env.GANTRY_TEST_POOLER?.split(' ') ?? [];

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

/** Returns what clients that know of no pooler find set, on all its connections. */
async function durabilityOfOthers(): Promise<readonly unknown[]> {
  const clients = Array.from({ length: 20 }, () => new pg.Client(schema.url));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    const asked = clients.map((client) =>
      client.query(`select current_setting('synchronous_commit') as durable, pg_sleep(0.05)`),
    );
    const answers = await Promise.all(asked);
    return [...new Set(answers.map(({ rows }) => rows[0].durable))];
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

test('writes that need not wait for the disk leave no setting behind for those of members', async () => {
  const usual = await durabilityOfOthers();
  expect(usual).toHaveLength(1);
  const unsynced = schema.connect({ sync: 'normal' });
  await unsynced.query(sql`create table seen (id integer)`);
  const writes = Array.from({ length: 40 }, (_, id) =>
    unsynced.query<{ set: string }>(
      sql`insert into seen values (${id}) returning current_setting('synchronous_commit') as set`,
    ),
  );
  expect(new Set((await Promise.all(writes)).map(([row]) => row?.set))).toEqual(new Set(['off']));
  expect(await durabilityOfOthers()).toEqual(usual);
  await unsynced.close();
});

if (mode === 'transaction') {
  test('control: a plain setting stays on the connection, and reaches others', async () => {
    const client = new pg.Client(schema.url);
    await client.connect();
    await client.query(`set synchronous_commit = remote_write`);
    await client.end();
    expect(await durabilityOfOthers()).toContain('remote_write');
  });

  test('control: named statements fail, which the driver uses without a pooler', async () => {
    const naive = schema.connect({ pooled: false, connections: 4 });
    const rounds = Array.from({ length: 200 }, (_, index) => naive.query(fixed(`select ${index % 5} as n`)));
    const failed = (await Promise.allSettled(rounds)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failed.map(String).join()).toMatch(
      /prepared statement "gantry_\d+" (already exists|does not exist)|unsupported startup/,
    );
    await naive.close();
  });
}

test('the same statements, five of each at once, all succeed', async () => {
  const rounds = Array.from({ length: 200 }, (_, index) => db.query<{ n: number }>(fixed(`select ${index % 5} as n`)));
  expect((await Promise.all(rounds)).map(([row]) => row?.n)).toEqual(rounds.map((_, index) => index % 5));
});

test('statements have the time limits of the role, and batches their own', async () => {
  const limit = sql`select setting as ms from pg_settings where name = 'lock_timeout'`;
  const impatient = schema.connect({ lockTimeoutMs: 123 });
  expect(await impatient.query(limit)).toEqual([{ ms: '5000' }]);
  expect((await impatient.batch([limit, limit]))[1]).toEqual([{ ms: '123' }]);
  await impatient.close();
});

test('a role without time limits is refused with the statement that sets them', async () => {
  await db.query(sql`select 1`);
  const admin = new pg.Client(await postgresUrl());
  await admin.connect();
  await admin.query(`alter role gantry in database ${schema.name} set lock_timeout = 0`);
  // Connections that the pooler keeps have the settings of before.
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [schema.name]);
  await admin.end();
  async function refusal(): Promise<string> {
    const limitless = schema.connect();
    const said = await limitless.query(sql`select 1`).then(() => '', String);
    await limitless.close();
    return said;
  }
  await expect.poll(refusal).toContain("alter role current_user set lock_timeout = '5s'");
});

test('nobody takes the database alone through a pooler', async () => {
  const alone = schema.connect({ exclusive: true });
  await expect(alone.query(sql`select 1`)).rejects.toThrow("name the server's own address");
  await alone.close();
});
