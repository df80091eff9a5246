import { type ChangeLog, endsOf } from './change-log.ts';
import type { Database } from './database.ts';
import { type Every, every as repeat } from './every.ts';
import { deleteExpired } from './retention.ts';
import { sql } from './sql.ts';

const lifeMs = 60 * 60_000;
const lookEveryMs = 60_000;
const mostRows = 200_000;

/**
 * Prunes a log of changes every minute, to the last hour and at most 200,000 rows. Rows have no
 * time, which would cost every write: the process remembers the end of the log at each look
 * instead. Any number of processes may prune the same log.
 *
 * @returns A function that stops it.
 */
export function pruneChanges(options: {
  readonly db: Database;
  readonly log: ChangeLog;
  readonly now?: () => number;
  readonly every?: Every;
}): () => void {
  const { db, log, now = Date.now, every = repeat } = options;
  let marks: readonly { readonly position: number; readonly atMs: number }[] = [];

  async function prune(): Promise<void> {
    const { first, last } = await endsOf(db, log);
    if (first === null || last === null) return;
    const passed = marks.findLast(({ atMs }) => now() - atMs >= lifeMs);
    marks = [...marks.filter(({ atMs }) => now() - atMs < lifeMs), { position: last, atMs: now() }];
    const upTo = Math.min(Math.max(passed?.position ?? 0, last - mostRows), last - 1); // one row stays: listeners begin at its position
    if (upTo < first) return;
    await deleteExpired(db, { table: log.table, key: ['position'], where: sql`position <= ${upTo}` });
  }

  let isPruning = false;

  function pruneAlone(): void {
    if (isPruning) return;
    isPruning = true;
    void prune()
      .catch(() => undefined) // the next run deletes the rows
      .finally(() => {
        isPruning = false;
      });
  }

  return every(pruneAlone, lookEveryMs);
}
