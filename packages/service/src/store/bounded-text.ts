import { type Statement, sql } from '@gantry/store';

/*
 * Columns whose texts may be from before there were bounds. The database looks at the length, so that a longer text is never
 * loaded: one row of it could cost more than a whole answer may have. The numbers are those of `text-bounds.ts`, in the
 * statements themselves, since every read would have to bind them.
 */

/** The address in a column; null for one that is too long, which is read as absent (contract §8). */
export function urlWithin(column: Statement): Statement {
  // The count of bytes is known without reading the text, which the count of characters needs.
  return sql`case when octet_length(${column}) <= 2000
    or octet_length(${column}) <= 8000 and length(${column}) <= 2000 then ${column} end`;
}

/** The name or title in a column; the beginning of one that is too long. A text that fits is left whole: SQLite cuts at a NUL. */
export function titleWithin(column: Statement): Statement {
  return sql`case when octet_length(${column}) <= 4000 then ${column} else substr(${column}, 1, 1000) end`;
}

/** The same for what a member says about themselves, and for descriptions. */
export function textWithin(column: Statement): Statement {
  return sql`case when octet_length(${column}) <= 40000 then ${column} else substr(${column}, 1, 10000) end`;
}
