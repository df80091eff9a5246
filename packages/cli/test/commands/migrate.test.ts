import { join } from 'node:path';
import { readServerConfiguration, startServer } from '@gantry/server';
import { serviceMigrations } from '@gantry/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, fixed, type Schema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry } from '../running-site.ts';

let data: string;
let schema: Schema;
beforeEach(async () => {
  data = folderForTest();
  schema = await createSchema();
});
afterEach(() => schema.remove());

const role = 'gantry_migrate_test';

/** Makes a role that may change the rows of the schema's tables, and no schema. */
async function makeRole(): Promise<string> {
  await asOwner(
    `create role ${role} login password 'of-the-test'`,
    `grant usage on schema ${schema.name} to ${role}`,
    `alter default privileges in schema ${schema.name} grant select, insert, update, delete on tables to ${role}`,
    `alter default privileges in schema ${schema.name} grant usage on sequences to ${role}`,
  );
  return Object.assign(new URL(schema.url), { username: role, password: 'of-the-test' }).href;
}

async function asOwner(...statements: readonly string[]): Promise<void> {
  const db = schema.connect();
  for (const text of statements) await db.query(fixed(text));
  await db.close();
}

function run(database: string, ...words: string[]): Promise<{ code: number; out: string; err: string }> {
  return gantry(data, ...words, '--database', database);
}

test('a check changes nothing and says what is missing, and a migration does that once', async () => {
  const file = join(data, 'gantry.db');
  const missing = await run(file, 'migrate', '--check');
  expect(missing).toMatchObject({ code: 1, err: 'The schema is older: run gantry migrate.' });
  expect(missing.out).toContain(`missing  service 1: ${serviceMigrations[0]?.name}`);
  expect(await run(file, 'migrate', '--check')).toEqual(missing);
  const done = await run(file, 'migrate');
  expect(done).toMatchObject({ code: 0, out: missing.out.replaceAll('missing', 'done') });
  for (const flags of [['--check'], []]) {
    expect(await run(file, 'migrate', ...flags)).toMatchObject({ code: 0, out: 'The schema is that of this release.' });
  }
});

test('a role that may change rows only runs a server after a migration, and before it a start says what to do', async () => {
  const address = await makeRole();
  try {
    const start = () =>
      startServer({
        configuration: readServerConfiguration(['--port', '0', '--data', data, '--database', address], {}),
      });
    await expect(start()).rejects.toThrow('its user may not create tables: run gantry migrate as the owner');
    expect(await run(schema.url, 'migrate')).toMatchObject({ code: 0 });
    const server = await start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.close();
    expect(await run(address, 'migrate', '--check')).toMatchObject({ code: 0 });
  } finally {
    await asOwner(`drop owned by ${role}`, `drop role ${role}`);
  }
});
