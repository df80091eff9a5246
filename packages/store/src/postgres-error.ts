import pg from 'pg';
import { StoreError, type StoreReason } from './database.ts';

/** By SQLSTATE or its class: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const reasons: ReadonlyMap<string, StoreReason> = new Map([
  ['08', 'unavailable'], // the connection
  ['23', 'constraint'],
  ['25006', 'full'], // read-only
  ['28', 'unavailable'], // may not connect
  ['3D000', 'unavailable'], // no such database
  ['40', 'unavailable'], // a conflict that did not end
  ['53', 'unavailable'], // too many connections, out of memory
  ['53100', 'full'], // disk full
  ['55P03', 'unavailable'], // waited too long for a lock
  ['57', 'unavailable'], // took too long, or the server is stopping or starting
  ['58030', 'full'], // the disk fails
]);

/** Returns true if the server rolled a transaction back because of another: repeating is safe. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

export function postgresError(error: unknown): StoreError {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    error.detail = undefined; // it quotes the row, which may hold secrets
    const reason = reasons.get(code) ?? reasons.get(code.slice(0, 2)) ?? 'other';
    return new StoreError(reason, error.message, { cause: error });
  }
  // The server could not be reached, fell silent, or the pool was closed.
  const message =
    error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error);
  return new StoreError('unavailable', message, { cause: error });
}
