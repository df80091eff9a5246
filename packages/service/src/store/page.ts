import { type Database, type Statement, sql } from '@gantry/store';

export interface Range {
  readonly startIndex: number;
  readonly count: number;
}

export interface Page<R> {
  readonly rows: readonly R[];
  readonly total: number;
}

export interface ListQuery {
  /** Common table expressions, with the word `with`. */
  readonly with?: Statement;
  readonly columns: Statement;
  /** Tables and conditions. */
  readonly from: Statement;
  /** Tables and conditions with the same number of rows; default `from`. */
  readonly countFrom?: Statement;
  readonly order: Statement;
  /** Most rows in the list, the first in order. */
  readonly most?: number;
}

/** Reads one page of a list. Counts the list only if the page does not show its end. */
export async function readPage<R>(db: Database, list: ListQuery, { startIndex, count }: Range): Promise<Page<R>> {
  const { with: tables = sql.empty, columns, from, countFrom = from, order, most } = list;
  const limit = most === undefined ? count : Math.max(0, Math.min(count, most - startIndex));
  const rows = await db.query<R>(sql`
    ${tables} select ${columns} from ${from} order by ${order} limit ${limit + 1} offset ${startIndex}`);
  if (rows.length <= limit && (rows.length > 0 || startIndex === 0)) return { rows, total: startIndex + rows.length };
  const counted = most === undefined ? countFrom : sql`(select 1 from ${countFrom} limit ${most}) as newest`;
  const [row] = await db.query<{ total: number }>(
    sql.repeated(sql`${tables} select count(*) as total from ${counted}`),
  );
  return { rows: rows.slice(0, limit), total: row?.total ?? 0 };
}
