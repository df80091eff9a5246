import { sql } from '@gantry/store';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createSchema, postgresUrl } from '../../../store/test/postgres.ts';
import { openDatabase } from '../../src/data/open-database.ts';
import { printableDatabase } from '../../src/setup/database-address.ts';

async function refused(url: string): Promise<string> {
  const error = await openDatabase(url).then(
    () => new Error('opened'),
    (reason: Error) => reason,
  );
  expect(error.message).not.toContain(new URL(url).password);
  return error.message;
}

test('a PostgreSQL that can be used is opened', async () => {
  const schema = await createSchema();
  onTestFinished(() => schema.remove());
  const db = await openDatabase(schema.url);
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await db.close();
});

test('one that cannot be reached or entered is named without the password (security rule 8)', async () => {
  const url = await postgresUrl();
  expect(await refused(Object.assign(new URL(url), { port: '1' }).href)).toBe(
    'The database at postgres://…@127.0.0.1:1/postgres cannot be used: connect ECONNREFUSED 127.0.0.1:1',
  );
  expect(await refused(Object.assign(new URL(url), { password: 'sesame-street' }).href)).toMatch(
    /cannot be used: password authentication failed for user "gantry"$/,
  );
});

test('a read-only one says what would be right', async () => {
  const url = await postgresUrl();
  expect(await refused(`${url}?options=-c%20default_transaction_read_only%3Don`)).toMatch(
    /is read-only: name the primary server, not a standby\.$/,
  );
});

test('one of another encoding is refused', async () => {
  const url = new URL(await postgresUrl());
  const admin = new pg.Client(url.href);
  await admin.connect();
  const name = `latin_${crypto.randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`);
  onTestFinished(() => admin.query(`drop database ${name} with (force)`).then(() => admin.end()));
  url.pathname = name;
  expect(await refused(url.href)).toMatch(/has the encoding LATIN1; Gantry needs one made with UTF8\.$/);
});

test('an address is printed without its password, also where it stands in the parameters (security rule 8)', () => {
  expect(printableDatabase('postgres://u:p@ss@h/d?password=hush')).toBe('postgres://…@h/d');
  expect(printableDatabase('/var/lib/gantry.db')).toBe('/var/lib/gantry.db');
});
