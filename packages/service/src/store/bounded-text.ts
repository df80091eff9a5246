import { type Statement, sql } from '@gantry/store';
import { mostUrlCharacters } from '../text-bounds.ts';

/*
 * Columns whose texts may be from before there were bounds. The database looks at the length, so that a longer text is never
 * loaded: one row of it could cost more than a whole answer may have.
 */

/** The address in a column; null for one that is too long, which is read as absent (contract §8). */
export function urlWithin(column: Statement): Statement {
  const most = mostUrlCharacters;
  // The count of bytes is known without reading the text, which the count of characters needs.
  return sql`case when octet_length(${column}) <= ${4 * most} and length(${column}) <= ${most} then ${column} end`;
}

/** The text in a column; of one with more than `most` bytes, the beginning. */
export function textWithin(column: Statement, most: number): Statement {
  const characters = most / 4; // that many are never too much
  return sql`case when octet_length(${column}) <= ${most} then ${column} else substr(${column}, 1, ${characters}) end`;
}
