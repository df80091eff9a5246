import { type Database, type SqlValue, type Statement, sql } from '@gantry/store';
import { textWithin, titleWithin, urlWithin } from '../store/bounded-text.ts';

export type Query = Database['query'];

/** A row of any table here. */
export type Fields = Readonly<Record<string, SqlValue>>;

const rowsAtOnce = 2_000;

/** A value of AppData can have 102,400 bytes, which other rows together seldom have. */
export const largeRowsAtOnce = 100;

/** Columns that are read of one table, and their order. */
export interface Table {
  readonly columns: Statement;
  /** With its conditions. */
  readonly from: Statement;
  /** Columns of a unique index, in its order. */
  readonly key: readonly Column[];
  /** Rows that are in memory together. */
  readonly atOnce?: number;
}

/** Columns that order a table. */
const columnNames = {
  id: sql`id`,
  key: sql`key`,
  member_id: sql`member_id`,
  app_id: sql`app_id`,
  friend_id: sql`friend_id`,
  friend_length: sql`length(friend_id)`,
  blocked_id: sql`blocked_id`,
  blocker_id: sql`blocker_id`,
} as const;
type Column = keyof typeof columnNames;

/** All rows along the index of the key, some at a time. */
export async function* rowsOf(
  { columns, from, key, atOnce = rowsAtOnce }: Table,
  query: Query,
): AsyncGenerator<Fields> {
  const order = sql.join(key.map((name) => columnNames[name]));
  let last: Fields | undefined;
  do {
    const after: Statement = last
      ? sql`and (${order}) > (${sql.join(key.map((name) => valueAt(last, name)))})`
      : sql.empty;
    const rows: readonly Fields[] = await query(sql`
      select ${columns} from ${from} ${after} order by ${order} limit ${atOnce}`);
    yield* rows;
    last = rows.length === atOnce ? rows.at(-1) : undefined;
  } while (last);
}

function valueAt(row: Fields | undefined, name: Column): SqlValue {
  return name === 'friend_length' ? String(row?.friend_id).length : (row?.[name] ?? null);
}

/*
 * Columns of texts, each under its own name and as the API reads it: an import would refuse a record with more.
 */

export function titleColumn(column: Statement): Statement {
  return sql`${titleWithin(column)} as ${column}`;
}

export function textColumn(column: Statement): Statement {
  return sql`${textWithin(column)} as ${column}`;
}

/** Empty for one that is too long. */
export function addressColumn(column: Statement): Statement {
  return sql`coalesce(${urlWithin(column)}, '') as ${column}`;
}
