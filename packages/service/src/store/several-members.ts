import { setImmediate as turn } from 'node:timers/promises';
import { type Database, type Statement, sql } from '@gantry/store';
import { maxRowsOfSeveral, SocialError } from '@gantry/wire';
import { chunks } from './chunks.ts';
import { isOneOf } from './one-of.ts';
import type { ListQuery } from './page.ts';
import { isNoBlocker } from './visibility.ts';

/*
 * Lists over several named members are merged here, from the keys of all their rows: how many there
 * are is bounded before a page is read (docs/decisions/0074-lists-over-several-members.md).
 */

/** Rows of some members, which a viewer may see in part. */
export interface RowsOfMembers extends Pick<ListQuery, 'with'> {
  /** Text without commas that identifies a row, and orders it if needed. */
  readonly key: Statement;
  /** Tables and conditions, with `where`. */
  readonly from: Statement;
  /** Condition of the rows that the viewer may see. */
  readonly seen: Statement;
}

/** Members in the first statement. */
const membersAtOnce = 1_000;
/** Parts of a statement that read too many rows. */
const parts = 100;

/**
 * Reads the keys of all rows that the viewer may see, in no order, several times if several members
 * have them. Each statement reads few rows, whether the viewer may see them or not, and the event
 * loop has a turn after it. Only rows that the viewer may see count.
 *
 * @param rowsOf Rows of some of the members.
 * @throws SocialError TOO_LARGE for more than 20,000 rows.
 */
export async function keysOfSeveral(
  db: Database,
  members: readonly string[],
  rowsOf: (members: readonly string[]) => RowsOfMembers,
): Promise<readonly string[]> {
  const rowKeys: string[] = [];

  async function read(some: readonly string[]): Promise<void> {
    const { with: tables = sql.empty, key, from, seen } = rowsOf(some);
    const isOne = some.length === 1; // hidden rows count only in reads of several members
    const rows = isOne
      ? sql`select ${key} as row_key, 1 as seen from ${from} and ${seen} limit ${maxRowsOfSeveral + 1 - rowKeys.length}`
      : sql`select ${key} as row_key, case when ${seen} then 1 else 0 end as seen from ${from} limit ${maxRowsOfSeveral + 1}`;
    // One text transfers faster than rows.
    const [row] = await db.query<{ n: number; keys: string | null }>(sql`
      ${tables} select count(*) as n, string_agg(case when seen = 1 then row_key end, ',') as keys from (${rows}) as found`);
    const n = Number(row?.n ?? 0);
    const keys = row?.keys ? row.keys.split(',') : [];
    if (rowKeys.length + keys.length > maxRowsOfSeveral) throw tooManyRows();
    if (n > 1_000) await turn();
    if (isOne || n <= maxRowsOfSeveral) for (const each of keys) rowKeys.push(each);
    else for (const part of chunks(some, Math.ceil(some.length / parts))) await read(part);
  }

  for (const part of chunks(members, membersAtOnce)) await read(part);
  return rowKeys;
}

/** Reads the ids of the visible friends of any of the visible members, each once, in no order. */
export async function friendsOfSeveral(
  db: Database,
  viewer: string,
  members: readonly string[],
): Promise<readonly string[]> {
  const ids = await keysOfSeveral(db, members, (some) => ({
    key: sql`friendship.friend_id`,
    from: sql`friendship where ${isOneOf(sql`friendship.member_id`, some)} and ${isNoBlocker(viewer, sql`friendship.member_id`)}`,
    seen: isNoBlocker(viewer, sql`friendship.friend_id`),
  }));
  return [...new Set(ids)];
}

function tooManyRows(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `A list over several members reads at most ${maxRowsOfSeveral} rows: name fewer members, or one at a time.`,
  );
}
