import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Mode of a file that only its owner reads and writes, whatever the mode of its folder. */
export const ownerOnly = 0o600;

/**
 * Creates a database file that only its owner can read, or takes the rights of others on an
 * existing one away (security rule 30). SQLite itself would make it readable for all, and gives the
 * files beside it the mode of the database.
 *
 * Does nothing where the file system refuses: opening the database then fails with the reason.
 */
export function keepDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', ownerOnly));
  } catch {
    // SQLite reports it.
  }
  for (const beside of ['', '-wal', '-shm', '-journal']) keepPrivate(file + beside);
}

function keepPrivate(path: string): void {
  try {
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch {
    // It does not exist, or belongs to another user, who decides.
  }
}
