import { type SqlValue, type Statement, sql } from '@gantry/store';
import { chunks, rowsOfStatement } from '../store/chunks.ts';

export type RowValues = readonly SqlValue[];

// Databases limit the parameters of a statement, SQLite to 32,766.
const parametersOfStatement = 8_000;

/**
 * Builds statements of up to 500 rows each. Full ones share their strings, so that a driver joins
 * and looks up thousands of placeholders once.
 */
export function inBatches(rows: readonly RowValues[], statement: (rows: Statement) => Statement): readonly Statement[] {
  const width = rows[0]?.length ?? 1;
  const size = Math.min(rowsOfStatement, Math.floor(parametersOfStatement / width));
  const [first, ...others] = chunks(rows, size);
  if (first === undefined) return [];
  const full = statement(sql.rows(first));
  const hasOnlyRows = full.values.length === size * width;
  return [
    full,
    ...others.map((some) =>
      hasOnlyRows && some.length === size ? { ...full, values: some.flat() } : statement(sql.rows(some)),
    ),
  ];
}

/** Row by column name, with the column `id`. */
export type IdentifiedRow = Readonly<Record<string, SqlValue>> & { readonly id: string };

/**
 * Builds statements that add rows, or overwrite the stored rows of the same ids.
 *
 * @param rows All with the same columns.
 * @param kept Columns that a stored row keeps.
 */
export function upserts(table: Statement, rows: readonly IdentifiedRow[], kept: readonly string[] = []) {
  const columns = Object.keys(rows[0] ?? {});
  const changed = columns.filter((name) => name !== 'id' && !kept.includes(name)).map((name) => sql.names([name]));
  const changes = sql.join(changed.map((name) => sql`${name} = excluded.${name}`));
  return inBatches(
    rows.map((row) => Object.values(row)),
    (values) => sql`
      insert into ${table} (${sql.names(columns)}) values ${values} on conflict (id) do update set ${changes}`,
  );
}

/** Keeps the last record of each name: one statement must not change a row twice. */
export function lastOfEach<T>(records: readonly T[], name: (record: T) => string): readonly T[] {
  const byName = new Map(records.map((record) => [name(record), record]));
  return byName.size === records.length ? records : [...byName.values()];
}
