import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Returns whether `--database` names a PostgreSQL server, not the path of a SQLite file. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//i.test(database);
}

/** Returns a database address that may be printed: without password and parameters. */
export function printableDatabase(database: string): string {
  return isPostgres(database) ? withoutSecrets(database) : database;
}

function withoutSecrets(address: string): string {
  return address.replace(/:\/\/.*@/s, '://…@').replace(/\?.*$/s, '');
}

/** The database of a configuration. */
export interface DatabaseSetting {
  /** SQLite file or `postgres://` address, which may hold a password. */
  readonly database: string;
  /**
   * The address is that of `DATABASE_URL`, which many programs read: a database with tables of
   * another one is refused.
   */
  readonly databaseIsFound?: boolean | undefined;
  /** The PostgreSQL's own address, where processes wake each other, if `database` is a pooler's. */
  readonly directUrl?: string | undefined;
}

/**
 * Returns the database that a setting names. Without one it is PostgreSQL at `DATABASE_URL`, as
 * platforms set it, or `gantry.db` in the data folder, which stays the database once it exists.
 *
 * @throws UsageError for an address of another kind, without its password.
 */
export function databaseSetting(
  named: string | undefined,
  { data, databaseUrl = '' }: { readonly data: string; readonly databaseUrl?: string | undefined },
): DatabaseSetting {
  const file = join(data, 'gantry.db');
  if (named !== undefined) return { database: databaseAddress(named, '--database (GANTRY_DATABASE)') };
  if (!isPostgres(databaseUrl) || existsSync(file)) return { database: file };
  return { database: databaseAddress(databaseUrl, 'DATABASE_URL'), databaseIsFound: true };
}

function databaseAddress(text: string, name: string): string {
  const isAddress = /^[a-z][a-z\d+.-]+:\/\//i.test(text);
  if (!isAddress) return resolve(text);
  if (isPostgres(text) && URL.canParse(text) && new URL(text).pathname.length > 1) return text;
  const right = 'must be the path of an SQLite file or postgres://user@host/database';
  throw new UsageError(`${name} ${right}, not "${withoutSecrets(text)}".`);
}

/** @throws UsageError for an address that is no PostgreSQL's. */
export function directAddress(text: string): string {
  if (isPostgres(text) && URL.canParse(text)) return text;
  throw new UsageError(`GANTRY_DATABASE_DIRECT must be postgres://user@host/database, not "${withoutSecrets(text)}".`);
}

/** @throws UsageError for a replica that is no PostgreSQL, or is one of an SQLite file. */
export function requireReplicasOf(database: string, replicas: readonly string[]): void {
  const wrong = replicas.find((address) => !isPostgres(address) || !URL.canParse(address));
  if (wrong !== undefined) {
    throw new UsageError(
      `--replica (GANTRY_REPLICAS) must be postgres://user@host/database, not "${withoutSecrets(wrong)}".`,
    );
  }
  if (replicas.length > 0 && !isPostgres(database)) {
    throw new UsageError('--replica (GANTRY_REPLICAS) needs a PostgreSQL as the database: SQLite has no standbys.');
  }
}
