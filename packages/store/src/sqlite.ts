import type { StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Row, StoreError, type StoreReason } from './database.ts';
import { createGroupCommit, transact } from './group-commit.ts';
import { onceForStrings } from './kept-strings.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { keepDatabasePrivate } from './private-file.ts';
import type { SqlValue, Statement } from './sql.ts';
import { bytesOf } from './sqlite-bytes.ts';
import { createRecall } from './sqlite-recall.ts';
import { createRowReader } from './sqlite-rows.ts';

export interface SqliteOptions {
  /** Path of the file, made if it is missing, or `:memory:`. */
  readonly file: string;
  /**
   * `full` (default): an acknowledged write survives power loss. `normal`: the last writes may be
   * lost by power loss, though never by `kill -9`, and nothing is ever torn.
   */
  readonly sync?: 'full' | 'normal';
  /**
   * For long work that can be repeated, such as an import: `sync` is `normal`, up to 256 MB of the
   * file are kept in memory, sorting an index takes a second core, and there is `batchUnchecked`.
   */
  readonly bulk?: boolean;
  /** For `:memory:`, from Node 24 on: the first content. `openSqliteCopy` works everywhere. */
  readonly content?: Uint8Array;
  /** Longest wait of a statement for a lock of another process. Default 5,000 ms. */
  readonly lockTimeoutMs?: number;
  /** Excludes other processes until it is closed; else `unavailable` (decision 79). */
  readonly exclusive?: boolean;
  /** True lets concurrent writes share one sync. Default: true for `full`. */
  readonly grouping?: boolean;
}

// SQLite's own wait blocks the event loop. It covers the usual case, one short write of another
// process; for longer locks this process retries, and serves other requests in between.
const busyMs = 50;

const keptStatements = 500;

// An import changes the same pages again and again: fewer write-backs write them once.
const bulkPragmas = ['cache_size = -262144', 'wal_autocheckpoint = 32768', 'threads = 2'];

/** A database in one file or in memory. */
export interface SqliteDatabase extends Database {
  /** Returns the database as the bytes of an SQLite file, without pending writes. */
  bytes(): Uint8Array;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly writes: boolean;
  /** Runs it and returns its rows. */
  readonly rows: (values: readonly SqlValue[]) => Row[];
}

/**
 * Opens a SQLite database in write-ahead mode. Reads run at once; concurrent writes share one sync.
 * A read sees every write that was acknowledged, and no pending one.
 *
 * Integers are bound as integers: node:sqlite would bind every number as a real, and `1` in a text
 * column would read `1.0`. Integers beyond 2^53 cannot be read back as numbers and fail.
 *
 * @throws StoreError if the file cannot be opened.
 */
export function openSqlite(options: SqliteOptions): SqliteDatabase {
  const {
    file,
    bulk = false,
    sync = bulk ? 'normal' : 'full',
    lockTimeoutMs = 5_000,
    grouping = sync === 'full',
  } = options;
  const handle = openHandle(options, { sync, lockTimeoutMs });
  if (bulk) for (const pragma of bulkPragmas) handle.exec(`pragma ${pragma}`);
  const { prepare, clear } = createPreparer(handle);
  const recall = createRecall(handle);
  let hasKeys = true;
  const group = createGroupCommit({ handle, run, isLocked, lockTimeoutMs, retryMs: busyMs });

  function run(statement: Statement): Row[] {
    const prepared = prepare(statement);
    if (prepared.writes) recall.forget();
    return prepared.rows(statement.values);
  }

  /** Returns true for a batch that only reads, which needs no lock. */
  function onlyReads(statements: readonly Statement[]): boolean {
    try {
      return statements.every((statement) => !prepare(statement).writes);
    } catch {
      return false; // an earlier statement of the batch creates its table
    }
  }

  async function write(statements: readonly Statement[], withKeys = true): Promise<Row[][]> {
    if (!grouping)
      return retryLocked(() => {
        checkKeys(withKeys);
        return statements.length === 1 ? statements.map(run) : transact(handle, () => statements.map(run));
      });
    try {
      return await group.write(statements);
    } catch (error) {
      throw storeError(error);
    }
  }

  /** Switches the checks of foreign keys, outside of a transaction. */
  function checkKeys(on: boolean): void {
    if (on === hasKeys) return;
    handle.exec(`pragma foreign_keys = ${on ? 'on' : 'off'}`);
    hasKeys = on;
  }

  /** Retries while another process holds the lock. A refused statement has changed nothing. */
  async function retryLocked<T>(work: () => T): Promise<T> {
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
    async query<R>(statement: Statement) {
      let prepared: Prepared;
      try {
        prepared = prepare(statement);
        if (!prepared.writes && statement.isRepeated) {
          return recall.rows(prepared.statement, statement.values, () => prepared.rows(statement.values)) as R[];
        }
        if (!prepared.writes) return prepared.rows(statement.values) as R[];
      } catch (error) {
        if (!isLocked(error)) throw storeError(error);
        return retryLocked(() => run(statement) as R[]);
      }
      const [rows] = await write([statement]);
      return rows as R[];
    },
    batch: (statements) =>
      onlyReads(statements)
        ? retryLocked(() => transact(handle, () => statements.map(run), 'deferred'))
        : write(statements),
    ...(bulk && !grouping && { batchUnchecked: (statements: readonly Statement[]) => write(statements, false) }),
    async snapshot(work) {
      if (file === ':memory:')
        throw new StoreError('other', 'a database in memory has no second connection to read it');
      const reader = translated(() => new DatabaseSync(file, { readOnly: true, timeout: lockTimeoutMs }));
      const { prepare: prepareRead } = createPreparer(reader);
      try {
        reader.exec('begin');
        return await work(async <R>(statement: Statement) =>
          translated(() => prepareRead(statement).rows(statement.values) as R[]),
        );
      } finally {
        reader.close();
      }
    },
    bytes: () => bytesOf(handle),
    async close() {
      await group.settled();
      clear();
      recall.forget();
      if (handle.isOpen) handle.close();
    },
  };
}

/** Keeps prepared statements, and whether each writes, by SQLite's own account. */
function createPreparer(handle: DatabaseSync): { prepare(statement: Statement): Prepared; clear(): void } {
  const statements = new Map<string, Prepared>();
  let ofStrings = onceForStrings(prepareStrings);

  function clear(): void {
    statements.clear();
    ofStrings = onceForStrings(prepareStrings);
  }

  /** Returns true for a program that opens a write transaction. `explain` itself has no program. */
  function writes(text: string): boolean {
    if (reads.test(text)) return false;
    if (changesRows.test(text)) return true;
    try {
      return handle
        .prepare(`explain ${text}`)
        .all()
        .some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0);
    } catch {
      return false;
    }
  }

  function prepareText(text: string): Prepared {
    const statement = handle.prepare(text);
    // SQLite would run the first of several statements and silently drop the rest.
    if (text.slice(statement.sourceSQL.length).trim()) throw new Error('one statement at a time');
    const prepared = { statement, writes: writes(text), rows: createRowReader(statement) };
    if (changesSchema.test(text)) clear(); // before Node 24, a kept statement does not see a new column
    if (statements.size === keptStatements) {
      statements.delete(statements.keys().next().value ?? '');
      ofStrings = onceForStrings(prepareStrings); // which holds it too
    }
    statements.set(text, prepared);
    return prepared;
  }

  function prepareStrings(strings: readonly string[]): Prepared {
    const text = strings.join('?');
    return statements.get(text) ?? prepareText(text);
  }

  return { prepare: ({ strings }) => ofStrings(strings), clear };
}

const reads = /^\s*select\b/i; // not explained: that costs as much as running it
const changesRows = /^\s*(?:insert|update|delete)\b/i; // neither: an import has thousands of lengths
const changesSchema = /^\s*(?:create|alter|drop)\b/i;

function openHandle(
  { file, content, exclusive = false }: SqliteOptions,
  { sync, lockTimeoutMs }: Required<Pick<SqliteOptions, 'sync' | 'lockTimeoutMs'>>,
): DatabaseSync {
  if (file !== ':memory:') keepDatabasePrivate(file);
  const handle = translated(
    () => new DatabaseSync(file, { timeout: lockTimeoutMs, enableForeignKeyConstraints: true }),
  );
  try {
    if (content) handle.deserialize(content); // before the pragmas, which it would undo
    handle.enableDefensive?.(true); // from Node 24 on
    handle.exec('pragma trusted_schema = off');
    if (exclusive) handle.exec('pragma locking_mode = exclusive'); // before the log is opened
    handle.exec('pragma journal_mode = wal');
    if (exclusive) handle.exec('begin immediate; commit'); // takes the lock
    handle.exec(`pragma synchronous = ${sync}`);
    handle.exec('pragma cache_size = -196608'); // up to 192 MB; the usual 2 hold less than one member's thousands of friends
    handle.exec(`pragma busy_timeout = ${Math.min(busyMs, lockTimeoutMs)}`);
    return handle;
  } catch (error) {
    handle.close(); // releases its locks
    throw storeError(error);
  }
}

/** Does work and translates its error. @throws StoreError */
function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
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

/** Returns the low byte of SQLite's extended result code; `undefined` for an error of Node. */
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
