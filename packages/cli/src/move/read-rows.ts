import { type Database, type Row, type SqlValue, type Statement, sql } from '@gantry/store';
import type { MovedTable } from './tables.ts';

/** Values of a row's key columns. */
export type RowKey = readonly SqlValue[];

const firstRows = 50;
const mostRows = 500; // rows × columns stays below SQLite's 32,766 parameters
const wantedLength = 1 << 20;

/** Reads a table in the order of its key, after `after`, in pages of about a megabyte. */
export async function* readRows(db: Database, table: MovedTable, after?: RowKey): AsyncGenerator<readonly Row[]> {
  let last = after;
  let limit = firstRows;
  for (;;) {
    const beyond = last === undefined ? sql.empty : sql`where (${keyOf(table)}) > (${valuesOf(table, last)})`;
    const rows = await db.query(
      sql`select * from ${sql.names([table.name])} ${beyond} order by ${keyOf(table)} limit ${limit}`,
    );
    if (rows.length === 0) return;
    yield rows;
    if (rows.length < limit) return;
    last = keyOfRow(table, rows.at(-1) as Row);
    const length = rows.reduce((sum, row) => sum + lengthOf(row), 0);
    limit = Math.min(mostRows, Math.max(1, Math.floor((limit * wantedLength) / length)));
  }
}

export function keyOfRow({ key }: MovedTable, row: Row): RowKey {
  return key.map((name) => row[name] as SqlValue);
}

/** Returns a row as one text, the same from every database. Bytes are in Base64. */
export function rowText(row: Row): string {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ]);
  return JSON.stringify(values.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

/** Returns about how many characters or bytes a row has. */
function lengthOf(row: Row): number {
  const lengths = Object.values(row).map((value) =>
    typeof value === 'string' || value instanceof Uint8Array ? value.length : 8,
  );
  return lengths.reduce((sum, length) => sum + length, 16);
}

function keyOf({ key, byLength }: MovedTable): Statement {
  const last = sql.names(key.slice(-1));
  return byLength ? sql`${sql.names(key.slice(0, -1))}, length(${last}), ${last}` : sql.names(key);
}

function valuesOf({ byLength }: MovedTable, values: RowKey): Statement {
  const last = values.at(-1) as SqlValue;
  return byLength ? sql`${sql.join(values.slice(0, -1))}, length(cast(${last} as text)), ${last}` : sql.join(values);
}
