import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Database, type Row, StoreError } from './database.ts';
import { isConflict, postgresError } from './postgres-error.ts';
import { bindable, postgresSchemaText, postgresTypes } from './postgres-types.ts';
import type { Statement } from './sql.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string;
  /** Open connections at most; further statements wait. Default 10. */
  readonly connections?: number;
  /**
   * `full` (default): an acknowledged write survives a crash of the server. `normal`: the writes of
   * the last second may be lost, and nothing is ever torn.
   */
  readonly sync?: 'full' | 'normal';
  /** For long work that can be repeated: `sync` is `normal`, and statements have no time limit. */
  readonly bulk?: boolean;
  /** Longest wait of a statement for a lock. Default 5,000 ms. */
  readonly lockTimeoutMs?: number;
  /** One connection, while no other process may have any; else `unavailable` (decision 79). */
  readonly exclusive?: boolean;
}

const statementTimeoutMs = 30_000;

/** Applies if the network loses the server's own time-out. */
const answerTimeoutMs = statementTimeoutMs + 5_000;

const neverMs = 2 ** 31 - 1;

const conflictTries = 8;

/** A server keeps each prepared statement for each connection. */
const mostPrepared = 200;

const mostSeen = 2_000;

/** An arbitrary number: the lock of processes that change the schema at the same time. */
const schemaLock = 4_718_220_135;

/** The lease of each connection on its schema. A pool holds one until its process ends. */
const leaseLock = (isExclusive: boolean) => `
  select pg_try_advisory_lock${isExclusive ? '' : '_shared'}(4718220136000000000 + oid::bigint) as held
  from pg_namespace where nspname = current_schema()`;

/**
 * Opens a PostgreSQL database. Connections are made on demand, and again after the server was down.
 *
 * A batch takes two round trips, however long it is. If the server rolls it back because of a
 * conflict with another transaction, it is repeated. Changes of the schema wait for each other,
 * across processes.
 */
export function openPostgres(options: PostgresOptions): Database {
  const { url, bulk = false, sync = bulk ? 'normal' : 'full', lockTimeoutMs = 5_000, exclusive = false } = options;
  const { connections = exclusive ? 1 : 10 } = options;
  const pool = new pg.Pool({
    ...connectionOf(url, sync),
    max: connections,
    min: 1,
    verify: (client, done) => void takeLease(client, exclusive).then(() => done(), done),
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    lock_timeout: lockTimeoutMs,
    statement_timeout: bulk ? 0 : statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    query_timeout: bulk ? neverMs : answerTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'gantry',
    pipeline: true,
    types: postgresTypes,
  });
  // The next statement on a connection that broke while idle fails with the reason.
  const ignore = () => {};
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  const names = preparedNames();
  let closing: Promise<void> | undefined;

  const schemaChange = [
    'set local lock_timeout = 0',
    `select pg_advisory_xact_lock(${schemaLock})`,
    `set local lock_timeout = ${lockTimeoutMs}`,
    'set local statement_timeout = 0',
  ];

  async function run(client: pg.PoolClient, { strings, values }: Statement): Promise<Row[]> {
    const text = strings.reduce((before, after, index) => `${before}$${index}${after}`);
    const changesSchema = isSchemaChange(text);
    const { rows } = await client.query<Row>({
      text: changesSchema ? postgresSchemaText(text) : text,
      values: values.map(bindable),
      name: changesSchema ? undefined : names(text),
      queryMode: 'extended', // the simple one would run several statements
      ...(changesSchema && { query_timeout: neverMs }),
    } as pg.QueryConfig);
    return rows;
  }

  async function transact(client: pg.PoolClient, statements: readonly Statement[]): Promise<Row[][]> {
    await client.query('begin'); // alone: if it failed, statements sent with it would run outside of a transaction
    const changesSchema = statements.some(({ strings }) => isSchemaChange(strings[0] ?? ''));
    const before = changesSchema
      ? schemaChange.map((text) => client.query({ text, query_timeout: neverMs } as pg.QueryConfig))
      : [];
    const runs = statements.map((statement) => run(client, statement));
    const commit = client.query('commit'); // rolls back if one of them failed
    await settled([...before, ...runs, commit]);
    return Promise.all(runs);
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = true;
    try {
      const result = await work(client);
      broken = false;
      return result;
    } catch (error) {
      broken = !(error instanceof pg.DatabaseError) || error.severity !== 'ERROR';
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function retryConflicts<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await withClient(work);
      } catch (error) {
        if (!isConflict(error) || tries === conflictTries) throw postgresError(error);
      }
      await pause(5 * tries);
    }
  }

  function batch(statements: readonly Statement[]): Promise<Row[][]> {
    const [only] = statements;
    if (only === undefined) return Promise.resolve([]);
    if (statements.length > 1 || isSchemaChange(only.strings[0] ?? '')) {
      return retryConflicts((client) => transact(client, statements));
    }
    return retryConflicts(async (client) => [await run(client, only)]);
  }

  return {
    query: async <R>(statement: Statement) => (await batch([statement]))[0] as R[],
    batch,
    snapshot: (work) =>
      withClient(async (client) => {
        await client.query('begin isolation level repeatable read read only');
        const result = await work(async <R>(statement: Statement) => {
          try {
            return (await run(client, statement)) as R[];
          } catch (error) {
            throw postgresError(error);
          }
        });
        await client.query('commit');
        return result;
      }),
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

/** @throws Error if another process has a lease on the schema that excludes this one. */
async function takeLease(client: pg.ClientBase, isExclusive: boolean): Promise<void> {
  const { rows } = await client.query<{ held: number }>(leaseLock(isExclusive));
  if (rows.some(({ held }) => held === 0)) {
    throw new Error(isExclusive ? 'other processes use it' : 'gantry move copies it at the moment');
  }
}

/** @throws StoreError for an invalid address, without its text, which may hold a password. */
function connectionOf(url: string, sync: 'full' | 'normal'): pg.PoolConfig {
  if (!URL.canParse(url)) throw new StoreError('other', 'The address of the database is none.');
  const address = new URL(url);
  if (sync === 'normal') {
    const options = address.searchParams.get('options') ?? '';
    address.searchParams.set('options', `${options} -c synchronous_commit=off`.trim());
  }
  // The driver does not understand the `+` that URLSearchParams writes for a space.
  address.search = address.search.replaceAll('+', '%20');
  return { connectionString: address.href };
}

function isSchemaChange(text: string): boolean {
  return /^\s*(create|alter|drop)\s/i.test(text);
}

/** Names statements that repeat, so that the server prepares them once for each connection. */
function preparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    const cached = names.get(text);
    if (cached !== undefined || names.size === mostPrepared) return cached;
    if (!seen.has(text)) {
      if (seen.size === mostSeen) seen.clear();
      seen.add(text);
      return undefined;
    }
    const name = `gantry_${names.size}`;
    names.set(text, name);
    seen.delete(text);
    return name;
  };
}

/** Waits for all, then throws the first error in order: later ones only follow from it. */
async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}
