import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Row } from './database.ts';
import type { SqlValue } from './sql.ts';

const mostResults = 2_000;
const mostRows = 64;
/** Characters of one result, and of the values that it was asked with. */
const mostLength = 4_096;

/**
 * Keeps the results of repeated reads until anything in the file changes (decision 90). SQLite
 * counts the commits of all other connections, those of other processes too, and knows the count
 * without reading a table; `forget` is for this connection's own.
 */
export function createRecall(handle: DatabaseSync) {
  const commits = handle.prepare('pragma data_version');
  commits.setReturnArrays?.(true); // from Node 24 on: an array costs a third less than an object
  const results = new Map<StatementSync, Map<string, readonly Row[]>>();
  let size = 0;
  let seen: unknown;

  function forget(): void {
    if (size > 0) results.clear();
    size = 0;
  }

  return {
    /** Returns the rows of a statement, which `run` reads if they are not known. */
    rows(statement: StatementSync, values: readonly SqlValue[], run: () => readonly Row[]): readonly Row[] {
      if (values.some((value) => typeof value === 'object' && value !== null)) return run(); // bytes
      const row = commits.get() ?? {};
      const { 0: now = row.data_version } = row;
      if (now !== seen) forget();
      seen = now;
      const key = values.map(keyOf).join(' ');
      const known = results.get(statement)?.get(key);
      if (known) return known;
      const rows = run();
      if (rows.length > mostRows || key.length + lengthOf(rows) > mostLength) return rows;
      if (size >= mostResults) forget();
      for (const row of rows) Object.freeze(row);
      const ofStatement = results.get(statement) ?? new Map<string, readonly Row[]>();
      results.set(statement, ofStatement.set(key, Object.freeze(rows)));
      size += 1;
      return rows;
    },
    forget,
  };
}

/** Returns a value as a part of a key: with its length, so that no text is two values. */
function keyOf(value: SqlValue): string {
  const text = String(value);
  return `${typeof value}${text.length} ${text}`;
}

/** Returns `Infinity` for rows with bytes: they could be changed. */
function lengthOf(rows: readonly Row[]): number {
  let length = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      length +=
        value instanceof Uint8Array ? Number.POSITIVE_INFINITY : 8 + (typeof value === 'string' ? value.length : 0);
    }
  }
  return length;
}
