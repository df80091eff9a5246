import { type Database, type SqlValue, type Statement, sql } from '@gantry/store';
import { textWithin, titleWithin, urlWithin } from '../store/bounded-text.ts';

export type RunQuery = Database['query'];

export type ExportedRow = Readonly<Record<string, SqlValue>>;

const rowsAtOnce = 2_000;

/** Rows per read for AppData, whose values may have 102,400 bytes each. */
export const largeRowsAtOnce = 100;

/** Columns to read from a table, and their order. */
export interface Table {
  readonly columns: Statement;
  /** Table and conditions. */
  readonly from: Statement;
  /** Columns of a unique index, in its order; `friend_length` is that of `friend_id`. */
  readonly key: readonly string[];
  readonly atOnce?: number;
}

/** Yields all rows in the order of the key, reading some at a time. */
export async function* rowsOf(
  { columns, from, key, atOnce = rowsAtOnce }: Table,
  query: RunQuery,
): AsyncGenerator<ExportedRow> {
  const order = sql.join(key.map((name) => (name === 'friend_length' ? sql`length(friend_id)` : sql.names([name]))));
  let last: ExportedRow | undefined;
  do {
    const after: Statement = last
      ? sql`and (${order}) > (${sql.join(key.map((name) => valueAt(last, name)))})`
      : sql.empty;
    const rows: readonly ExportedRow[] = await query(sql`
      select ${columns} from ${from} ${after} order by ${order} limit ${atOnce}`);
    yield* rows;
    last = rows.length === atOnce ? rows.at(-1) : undefined;
  } while (last);
}

function valueAt(row: ExportedRow | undefined, name: string): SqlValue {
  return name === 'friend_length' ? String(row?.friend_id).length : (row?.[name] ?? null);
}

/*
 * Text columns under their own names, truncated as the API reads them: an import would refuse
 * longer ones.
 */

export function titleColumn(column: Statement): Statement {
  return sql`${titleWithin(column)} as ${column}`;
}

export function textColumn(column: Statement): Statement {
  return sql`${textWithin(column)} as ${column}`;
}

/** Selects an address; empty if it is too long. */
export function addressColumn(column: Statement): Statement {
  return sql`coalesce(${urlWithin(column)}, '') as ${column}`;
}
