import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Database, openPostgres, type Statement, StoreError, sql } from '@gantry/store';
import pg from 'pg';
import { expect, inject } from 'vitest';

/**
 * The address of the run's PostgreSQL. Its databases order text as in English: what depends on that
 * fails here.
 */
export async function postgresUrl(): Promise<string> {
  const socket = connect(inject('postgresPort'), '127.0.0.1');
  await once(socket, 'connect');
  const answer = await text(socket);
  if (answer.startsWith('!')) throw new Error(answer.slice(1));
  return answer;
}

/** A schema of one test's own in the run's PostgreSQL. */
export interface Schema {
  /** Connections with it see this schema only. */
  readonly url: string;
  readonly name: string;
  connect(options?: Omit<Parameters<typeof openPostgres>[0], 'url'>): Database;
  remove(): Promise<void>;
}

export async function createSchema(): Promise<Schema> {
  const base = await postgresUrl();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const isPooled = process.env.GANTRY_TEST_POOLER !== undefined; // which knows databases, and no search path
  await asAdmin(base, `create ${isPooled ? 'database' : 'schema'} ${name}`);
  const url = isPooled ? base.replace(/postgres$/, name) : `${base}?options=-c%20search_path%3D${name}`;
  return {
    url,
    name,
    connect: (options) => openPostgres({ url, ...options }),
    remove: () => asAdmin(base, isPooled ? `drop database ${name} with (force)` : `drop schema ${name} cascade`),
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A statement with a name in it, which no placeholder can stand for. */
export function fixed(text: string): Statement {
  return { ...sql.empty, strings: [text] };
}

/** A schema with its connections, which tests use one after the other. */
interface Place {
  readonly schema: Schema;
  readonly db: Database;
}

const free: Place[] = [];
const places: Place[] = [];
const untilTestEnds: Database[] = [];

/** Closes what a test opened and left open. */
export async function closeAfterTest(): Promise<void> {
  for (const db of untilTestEnds.splice(0)) await db.close();
}

/**
 * Removes the schemas that a file left open or changed. The others serve the worker's next files:
 * making and removing one takes 0.16 s of processor time.
 */
export async function removeAfterFile(): Promise<void> {
  for (const { db, schema } of places.splice(0).filter((place) => !free.includes(place))) {
    await db.close();
    await schema.remove();
  }
  places.push(...free);
}

/** Matches what tests do to a schema. Migrations do it in batches, but for their own tables. */
const changesSchema = /^\s*(?:drop |alter |create (?!table if not exists ))/i;

/**
 * A database without rows for one test, or for a file where it is opened before all tests. Tables
 * of any set may be there already: emptying them takes 4 ms, and making them 110.
 */
export async function openEmptyPostgres(): Promise<Database> {
  const place = free.pop() ?? (await newPlace());
  let closing: Promise<void> | undefined;
  let whole = true;
  const open = (): Database => {
    if (closing !== undefined) throw new StoreError('unavailable', 'closed');
    return place.db;
  };
  const db: Database = {
    async query(statement) {
      whole &&= !changesSchema.test(statement.strings[0] ?? '');
      return open().query(statement);
    },
    batch: async (statements) => open().batch(statements),
    snapshot: async (work) => open().snapshot(work),
    close() {
      closing ??= whole ? empty(place).then(() => void free.push(place)) : Promise.resolve(); // a changed schema is not reused
      return closing;
    },
  };
  if (expect.getState().currentTestName !== undefined) untilTestEnds.push(db);
  return db;
}

async function newPlace(): Promise<Place> {
  const schema = await createSchema();
  const place = { schema, db: schema.connect() };
  places.push(place);
  return place;
}

async function empty({ db }: Place): Promise<void> {
  const tables = await db.query<{ tablename: string }>(sql`
    select tablename from pg_tables where schemaname = current_schema() and tablename <> 'schema_migration'`);
  await db.batch([
    fixed('set local session_replication_role = replica'), // disables foreign keys
    ...tables.map(({ tablename }) => fixed(`delete from ${tablename}`)),
  ]);
}
