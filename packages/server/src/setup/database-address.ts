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

/**
 * Returns the database that a setting names. Default: `gantry.db` in the data folder.
 *
 * @throws UsageError for an address of another kind, without its password.
 */
export function databaseAddress(text: string | undefined, data: string): string {
  if (text === undefined) return join(data, 'gantry.db');
  const isAddress = /^[a-z][a-z\d+.-]+:\/\//i.test(text);
  if (!isAddress) return resolve(text);
  if (isPostgres(text) && URL.canParse(text) && new URL(text).pathname.length > 1) return text;
  const right = 'must be the path of an SQLite file or postgres://user@host/database';
  throw new UsageError(`--database (GANTRY_DATABASE) ${right}, not "${withoutSecrets(text)}".`);
}
