import { type SqlValue, type Statement, sql } from '@gantry/store';

export type RowValues = readonly SqlValue[];

// Databases limit the parameters of a statement, SQLite to 32,766.
const parametersOfStatement = 8_000;
const rowsOfStatement = 500;

/** Builds statements of up to 500 rows each. */
export function inBatches(rows: readonly RowValues[], statement: (rows: Statement) => Statement): Statement[] {
  const width = rows[0]?.length ?? 1;
  const size = Math.min(rowsOfStatement, Math.floor(parametersOfStatement / width));
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += size) {
    statements.push(statement(sql.rows(rows.slice(start, start + size))));
  }
  return statements;
}

/** Keeps the last record of each name: one statement must not change a row twice. */
export function lastOfEach<T>(records: readonly T[], name: (record: T) => string): readonly T[] {
  const byName = new Map(records.map((record) => [name(record), record]));
  return byName.size === records.length ? records : [...byName.values()];
}
