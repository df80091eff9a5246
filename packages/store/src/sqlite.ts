import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Row, StoreError, type StoreReason } from './database.ts';
import type { SqlValue, Statement } from './sql.ts';

export interface SqliteOptions {
  /** Path of the file, made if it is missing, or `:memory:`. */
  readonly file: string;
  /**
   * `full` (default): an acknowledged write survives power loss. `normal`: the last writes may be lost by power loss, though
   * never by `kill -9`, and nothing is ever torn.
   */
  readonly sync?: 'full' | 'normal';
  /** How long a statement waits for a lock that another process holds. Default 5,000 ms. */
  readonly lockTimeoutMs?: number;
}

// SQLite's own waiting blocks the event loop. It covers the usual case, one short write of another process; longer locks
// are waited for between tries, while this process goes on answering.
const busyMs = 50;

const keptStatements = 500;

/**
 * Opens a SQLite database in write-ahead mode.
 *
 * Integers are bound as integers: node:sqlite would bind every number as a real, and `1` in a text column would read `1.0`.
 * Integers beyond 2^53 cannot be read back as numbers and fail.
 *
 * @throws StoreError if the file cannot be opened.
 */
export function openSqlite({ file, sync = 'full', lockTimeoutMs = 5_000 }: SqliteOptions): Database {
  const handle = openHandle(file, sync, lockTimeoutMs);
  const prepared = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = handle.prepare(text);
    // SQLite would run the first statement of several and say nothing about the rest.
    if (text.slice(fresh.sourceSQL.length).trim()) throw new Error('one statement at a time');
    if (prepared.size === keptStatements) prepared.delete(prepared.keys().next().value ?? '');
    prepared.set(text, fresh);
    return fresh;
  }

  function run({ strings, values }: Statement): Row[] {
    return prepare(strings.join('?')).all(...values.map(bindable));
  }

  function transact(statements: readonly Statement[]): Row[][] {
    handle.exec('begin immediate');
    try {
      const rows = statements.map(run);
      handle.exec('commit');
      return rows;
    } catch (error) {
      if (handle.isTransaction) handle.exec('rollback'); // a full disk has already rolled it back
      throw error;
    }
  }

  /** Tries until no other process holds the lock. Repeating is safe: a refused statement has done nothing. */
  async function patiently<T>(work: () => T): Promise<T> {
    for (let waitedMs = 0; ; waitedMs += 2 * busyMs) {
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || waitedMs >= lockTimeoutMs) throw storeError(error);
      }
      await pause(busyMs);
    }
  }

  return {
    query: <R>(statement: Statement) => patiently(() => run(statement) as R[]),
    batch: (statements) => patiently(() => transact(statements)),
    async close() {
      prepared.clear();
      if (handle.isOpen) handle.close();
    },
  };
}

function openHandle(file: string, sync: 'full' | 'normal', lockTimeoutMs: number): DatabaseSync {
  try {
    const handle = new DatabaseSync(file, { timeout: lockTimeoutMs, enableForeignKeyConstraints: true });
    handle.enableDefensive(true);
    handle.exec('pragma trusted_schema = off');
    handle.exec('pragma journal_mode = wal');
    handle.exec(`pragma synchronous = ${sync}`);
    handle.exec(`pragma busy_timeout = ${Math.min(busyMs, lockTimeoutMs)}`);
    return handle;
  } catch (error) {
    throw storeError(error);
  }
}

function bindable(value: SqlValue): SqlValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** By primary result code (https://sqlite.org/rescode.html). */
const reasons: ReadonlyMap<number, StoreReason> = new Map([
  [5, 'unavailable'], // BUSY
  [6, 'unavailable'], // LOCKED
  [8, 'full'], // READONLY
  [10, 'full'], // IOERR
  [13, 'full'], // FULL
  [14, 'unavailable'], // CANTOPEN
  [19, 'constraint'],
]);

function isLocked(error: unknown): boolean {
  const code = resultCode(error);
  return code === 5 || code === 6;
}

/** The low byte of SQLite's extended result code; `undefined` for an error of Node's own. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return error.errcode & 0xff;
}

function storeError(error: unknown): StoreError {
  if (!(error instanceof Error)) return new StoreError('other', String(error));
  const closed = 'code' in error && error.code === 'ERR_INVALID_STATE';
  const reason = closed ? 'unavailable' : (reasons.get(resultCode(error) ?? 0) ?? 'other');
  return new StoreError(reason, error.message, { cause: error });
}
