import { join } from 'node:path';
import {
  forgetNonceLog,
  forgetNonceTable,
  type Nonces,
  type NoncesOptions,
  openNonceLog,
  openNonces,
  siteChanges,
} from '@gantry/service';
import { type Database, openPostgres, openSqlite, type SqliteOptions, StoreError, sql } from '@gantry/store';
import { isPostgres, printableDatabase } from '../setup/database-address.ts';
import { notifyOnWrite } from './notify-on-write.ts';
import { postgresNowMs } from './postgres-clock.ts';

/**
 * Opens the site's database.
 *
 * Its writes to the log of changes wake the other processes.
 *
 * @param options.exclusive Excludes all other processes until it is closed.
 * @throws Error in one sentence for a server that is unreachable, too old, read-only or does not
 * store text as UTF-8.
 */
export async function openDatabase(
  database: string,
  options: Pick<SqliteOptions, 'bulk' | 'exclusive'> & { readonly directUrl?: string | undefined } = {},
): Promise<Database> {
  const { directUrl, ...shared } = options;
  if (!isPostgres(database)) return openSqlite({ file: database, ...shared });
  const subject = `The database at ${printableDatabase(database)}`;
  const db = openPostgres({ url: database, ...options });
  try {
    const problem = await postgresProblem(db);
    if (problem === undefined) return notifyOnWrite(db, siteChanges, () => db.wakes?.notify());
    throw new StoreError('other', `${subject} ${problem}`);
  } catch (error) {
    await db.close();
    if (!(error instanceof StoreError) || error.reason === 'other') throw error;
    throw new StoreError(error.reason, `${subject} cannot be used: ${error.message}`, { cause: error });
  }
}

interface ServerFacts {
  readonly version: string;
  readonly number: string;
  readonly encoding: string;
  readonly read_only: string;
}

async function postgresProblem(db: Database): Promise<string | undefined> {
  const [facts] = await db.query<ServerFacts>(sql`
    select version() as version, current_setting('server_version_num') as number,
      current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as read_only`);
  if (!facts) return 'does not report its version.';
  // Other servers that speak the protocol number their versions differently.
  if (facts.version.startsWith('PostgreSQL') && Number(facts.number) < 150_000) {
    return `is ${facts.version.split(' ').slice(0, 2).join(' ')}; Gantry needs PostgreSQL 15 or newer.`;
  }
  if (!/^utf-?8$/i.test(facts.encoding)) return `has the encoding ${facts.encoding}; Gantry needs one made with UTF8.`;
  if (facts.read_only === 'on') return 'is read-only: name the primary server, not a standby.';
  return undefined;
}

/** Resolves with whether the user of an open database may create tables. */
export async function mayCreateTables(db: Database, database: string): Promise<boolean> {
  if (!isPostgres(database)) return true;
  const [row] = await db.query<{ may: number }>(sql`
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may`);
  return row?.may === 1;
}

/** Opens the record of nonces that processes share: a folder, or a table for several machines. */
export async function openSharedNonces(
  database: string,
  folder: string,
  options: Pick<NoncesOptions, 'now'> = {},
): Promise<Nonces> {
  if (!isPostgres(database)) return openNonceLog(folder, options);
  const db = openPostgres({ url: database, connections: 3, sync: 'normal' });
  const nonces = await serverFacts(db)
    .then((server) => openNonces(db, { ...options, server }))
    .catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
  return {
    consume: nonces.consume,
    async close() {
      await nonces.close();
      await db.close();
    },
  };
}

/** Returns what shows that the server was restarted, or is a standby that took over. */
async function serverFacts(db: Database) {
  const startMs = sql`cast(extract(epoch from pg_postmaster_start_time()) * 1000 as bigint)`;
  const timeline = sql`substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)`;
  try {
    await db.query(sql`select ${timeline}`);
    return { startMs, timeline, nowMs: postgresNowMs };
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'other') return { startMs }; // a server with no such functions
    throw error;
  }
}

/**
 * Refuses requests from before now, whose nonces are not in this database: those of the database
 * that it was copied from are left there.
 *
 * @param data Data folder, which has the nonces of a site on SQLite.
 */
export async function forgetNonces(db: Database, database: string, data: string, nowMs: number): Promise<void> {
  const second = Math.ceil(nowMs / 1000);
  if (isPostgres(database)) await forgetNonceTable(db, second);
  else forgetNonceLog(join(data, 'nonces'), second);
}
