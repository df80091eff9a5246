import pg from 'pg';
import { StoreError } from './database.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { postgresTypes } from './postgres-types.ts';

const statementTimeoutMs = 30_000;

/** Applies if the network loses the server's own time-out. */
const answerTimeoutMs = statementTimeoutMs + 5_000;

/** Longest wait of the driver, for what may take any time. */
export const neverMs = 2 ** 31 - 1;

/**
 * The lease that each connection holds on its schema, shared or exclusive. A pool keeps one
 * connection open, so a process holds it until it ends.
 */
const leaseLock = (isExclusive: boolean) => `
  select pg_try_advisory_lock${isExclusive ? '' : '_shared'}(4718220136000000000 + oid::bigint) as held
  from pg_namespace where nspname = current_schema()`;

/** A connection for one statement or transaction. */
export interface Lent {
  readonly client: pg.PoolClient;
  /** Through a pooler: name no statement, and set nothing for the session. */
  readonly isPooled: boolean;
}

/** The connections of one database, opened by the first statement. */
export interface Connections {
  /** Lends one until `work` ends. */
  lend<T>(work: (lent: Lent) => Promise<T>): Promise<T>;
  /** Statements that set for one transaction what a session has by itself without a pooler. */
  readonly localSettings: readonly string[];
  /** Opens a connection for listening, to the server itself; `undefined` without its address. */
  connectDirectly(): Promise<pg.Client | undefined>;
  end(): Promise<void>;
}

export function createConnections(options: PostgresOptions): Connections {
  const { url, bulk = false, sync = bulk ? 'normal' : 'full', lockTimeoutMs = 5_000, exclusive = false } = options;
  const settings: Settings = {
    lock_timeout: lockTimeoutMs,
    statement_timeout: bulk ? 0 : statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  const base = { connectionTimeoutMillis: 5_000, keepAlive: true, application_name: 'gantry', types: postgresTypes };
  const direct = { ...base, ...connectionOf(url, sync), ...settings };
  let opening: Promise<Opened> | undefined;
  let ending: Promise<void> | undefined;

  async function open(): Promise<Opened> {
    const isPooled = options.pooled ?? (await dropsSettings(direct, settings));
    if (isPooled && exclusive) throw new Error("a pooler hides who else uses it: name the server's own address");
    const pool = new pg.Pool({
      ...(isPooled ? { ...base, ...connectionOf(url, 'full') } : direct),
      max: options.connections ?? (exclusive ? 1 : 10),
      min: 1,
      verify: (client, done) =>
        void (isPooled ? requireLimits(client) : takeLease(client, exclusive)).then(() => done(), done),
      idleTimeoutMillis: 30_000,
      query_timeout: bulk ? neverMs : answerTimeoutMs,
      allowExitOnIdle: true,
      pipeline: true,
    });
    // The next statement on a connection that broke while idle fails with the reason.
    const ignore = () => {};
    pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
    return { pool, isPooled };
  }

  // A server that cannot be reached is tried again by the next statement.
  function opened(): Promise<Opened> {
    if (ending !== undefined) throw new Error('the database is closed');
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function endAll(): Promise<void> {
    const { pool } = (await opening?.catch(() => undefined)) ?? {};
    await pool?.end();
  }

  return {
    async lend(work) {
      const { pool, isPooled } = await opened();
      const client = await pool.connect();
      let broken = true;
      try {
        const result = await work({ client, isPooled });
        broken = false;
        return result;
      } catch (error) {
        // A read-only server may be the primary no more: the next connection finds the new one.
        broken = !(error instanceof pg.DatabaseError) || error.severity !== 'ERROR' || error.code === '25006';
        throw error;
      } finally {
        client.release(broken);
      }
    },
    // Without `local` they would stay on the pooler's connection, and reach the writes of others.
    localSettings: [
      ...Object.entries(settings).map(([name, ms]) => `set local ${name} = ${ms}`),
      ...(sync === 'normal' ? ['set local synchronous_commit = off'] : []),
    ],
    async connectDirectly() {
      const { directUrl } = options;
      if (directUrl === undefined && (await opened()).isPooled) return undefined;
      const client = new pg.Client({ ...base, ...connectionOf(directUrl ?? url, 'full'), query_timeout: 5_000 });
      client.on('error', () => {});
      await client.connect();
      (client as pg.Client & { unref(): void }).unref(); // its types lack it
      return client;
    },
    end() {
      ending ??= endAll();
      return ending;
    },
  };
}

interface Opened {
  readonly pool: pg.Pool;
  readonly isPooled: boolean;
}

type Settings = Readonly<Record<'lock_timeout' | 'statement_timeout' | 'idle_in_transaction_session_timeout', number>>;

/**
 * Returns whether settings of a session are refused or dropped on the way to the server, as
 * PgBouncer does: by its defaults, or with `ignore_startup_parameters`.
 */
async function dropsSettings(config: pg.ClientConfig, settings: Settings): Promise<boolean> {
  // One that no role has by itself.
  const lock_timeout = settings.lock_timeout + 1;
  const client = new pg.Client({ ...config, lock_timeout });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await limitsOf(client)).lock_timeout !== lock_timeout;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return true;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws StoreError if a statement through the pooler could wait or run for ever. */
async function requireLimits(client: pg.ClientBase): Promise<void> {
  const without = Object.entries(await limitsOf(client)).flatMap(([name, ms]) => (ms === 0 ? [name] : []));
  if (without.length === 0) return;
  const change = without.map(
    (name) => `alter role current_user set ${name} = '${roleLimits[name as keyof Settings]}';`,
  );
  throw new Error(`its pooler drops the time limits of statements. Set them for the role: ${change.join(' ')}`);
}

const roleLimits: Readonly<Record<keyof Settings, string>> = {
  lock_timeout: '5s',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
};

/** Returns the limits that hold on a connection, in milliseconds; 0 for none. */
async function limitsOf(client: pg.ClientBase): Promise<Settings> {
  const { rows } = await client.query<{ name: keyof Settings; setting: string }>(
    `select name, setting from pg_settings where name in ('${Object.keys(roleLimits).join("', '")}')`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)])) as Settings;
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
