import { type Statement, sql } from '@gantry/store';

/*
 * Columns whose texts may predate the bounds. The database checks the length, so a longer text is
 * never loaded: one row of it could exceed a whole answer. The numbers equal those of
 * `text-bounds.ts`; they are literals, since every read would have to bind them.
 */

/** Selects an address; null if it is too long (contract §8). */
export function urlWithin(column: Statement): Statement {
  // Counting bytes does not read the text; counting characters does.
  return sql`case when octet_length(${column}) <= 2000
    or octet_length(${column}) <= 8000 and length(${column}) <= 2000 then ${column} end`;
}

/** Selects a name or title, truncated only if too long: SQLite's `substr` cuts at NUL. */
export function titleWithin(column: Statement): Statement {
  return sql`case when octet_length(${column}) <= 4000 then ${column} else substr(${column}, 1, 1000) end`;
}

/** Selects a member's text about themselves or a description, truncated if too long. */
export function textWithin(column: Statement): Statement {
  return sql`case when octet_length(${column}) <= 40000 then ${column} else substr(${column}, 1, 10000) end`;
}
