import type { ChangeLog } from './change-log.ts';
import type { Database } from './database.ts';
import { type Every, every as repeat } from './every.ts';
import { sql } from './sql.ts';

const lifeMs = 60 * 60_000;
const lookEveryMs = 60_000;
const mostRows = 200_000;

/**
 * Keeps a log of changes short: an hour, and never more than 200,000 rows. A row has no time, which would cost every write:
 * who keeps the log remembers where it ended when. Any number of processes may do so.
 *
 * @returns What ends it.
 */
export function keepChanges(options: {
  readonly db: Database;
  readonly log: ChangeLog;
  readonly now?: () => number;
  readonly every?: Every;
}): () => void {
  const { db, log, now = Date.now, every = repeat } = options;
  let marks: readonly { readonly position: number; readonly atMs: number }[] = [];

  async function shorten(): Promise<void> {
    const [ends] = await db.query<{ first: number | null; last: number | null }>(
      sql`select min(position) as first, max(position) as last from ${log.table}`,
    );
    if (ends?.first == null || ends.last === null) return;
    const passed = marks.findLast(({ atMs }) => now() - atMs >= lifeMs);
    marks = [...marks.filter(({ atMs }) => now() - atMs < lifeMs), { position: ends.last, atMs: now() }];
    const upTo = Math.min(Math.max(passed?.position ?? 0, ends.last - mostRows), ends.last - 1); // one stays, to begin at
    if (upTo >= ends.first) await db.query(sql`delete from ${log.table} where position <= ${upTo}`);
  }

  return every(() => void shorten().catch(() => undefined), lookEveryMs);
}
