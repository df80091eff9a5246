import { type Database, deleteExpired, sql } from '@gantry/store';

/** Most attempts of one subject, such as a member, in a quarter of an hour. */
export interface AttemptLimit {
  /** Digest: a row must not tell which text somebody typed as their member id. */
  readonly subject: string;
  readonly most: number;
}

const windowMs = 15 * 60 * 1000;
const pruneEveryMs = 60 * 1000;

/** Makes the limits. Each of their statements locks at most one row, so none blocks another. */
export function createAttemptLimits({ db, now }: { readonly db: Database; readonly now: () => number }) {
  let prunedAtMs = Number.NEGATIVE_INFINITY;

  function prune(nowMs: number): void {
    if (nowMs - prunedAtMs < pruneEveryMs) return;
    prunedAtMs = nowMs;
    const where = sql`resets_at_ms <= ${nowMs}`;
    // No attempt waits for it, and the next run deletes what is left after a failure.
    deleteExpired(db, { table: sql`sign_in_limit`, key: ['subject'], where }).catch(() => undefined);
  }

  /** Counts atomically, so that parallel attempts cannot exceed a limit. False: it is reached. */
  async function countOne({ subject, most }: AttemptLimit, nowMs: number): Promise<boolean> {
    const isOver = sql`sign_in_limit.resets_at_ms <= ${nowMs}`;
    const counted = await db.query(sql`
      insert into sign_in_limit (subject, attempts, resets_at_ms) values (${subject}, 1, ${nowMs + windowMs})
      on conflict (subject) do update set
        attempts = case when ${isOver} then 1 else sign_in_limit.attempts + 1 end,
        resets_at_ms = case when ${isOver} then excluded.resets_at_ms else sign_in_limit.resets_at_ms end
      where ${isOver} or sign_in_limit.attempts < ${most}
      returning attempts`);
    return counted.length === 1;
  }

  /** Takes back an attempt that turned out to be right. */
  async function forgive(limits: readonly AttemptLimit[]): Promise<void> {
    for (const { subject } of limits) {
      await db.query(sql`update sign_in_limit set attempts = attempts - 1 where subject = ${subject} and attempts > 0`);
    }
  }

  /** Resolves with the seconds until the next attempt, if a limit is reached. */
  async function limitedFor(limits: readonly AttemptLimit[]): Promise<number | undefined> {
    const nowMs = now();
    const rows = await db.query<{ subject: string; attempts: number; resets_at_ms: number }>(sql`
      select subject, attempts, resets_at_ms from sign_in_limit
      where subject in (${sql.list(limits.map(({ subject }) => subject))}) and resets_at_ms > ${nowMs}`);
    const reached = rows.filter((row) =>
      limits.some(({ subject, most }) => subject === row.subject && Number(row.attempts) >= most),
    );
    const waitsMs = reached.map((row) => Number(row.resets_at_ms) - nowMs);
    return waitsMs.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...waitsMs) / 1000));
  }

  return {
    limitedFor,
    /** Counts an attempt before it is checked; at a limit, resolves as `limitedFor` does. */
    async count(limits: readonly AttemptLimit[]): Promise<number | undefined> {
      const nowMs = now();
      prune(nowMs);
      for (const [index, limit] of limits.entries()) {
        if (await countOne(limit, nowMs)) continue;
        await forgive(limits.slice(0, index));
        return (await limitedFor(limits)) ?? 1; // the window has just ended
      }
      return undefined;
    },
    forgive,
  };
}
