import { type Database, sql } from '@gantry/store';
import { isOneOf } from './one-of.ts';

export interface Attempt {
  readonly subject: string;
  /** Attempts of this subject in one window. */
  readonly most: number;
  readonly nowMs: number;
  readonly windowMs: number;
}

/**
 * Counts one attempt in one statement, so that of any number of parallel ones as many are counted as may be.
 *
 * @returns False if the limit is reached; nothing is counted then.
 */
export async function countAttempt(db: Database, { subject, most, nowMs, windowMs }: Attempt): Promise<boolean> {
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

export interface Attempts {
  readonly attempts: number;
  readonly resetsAtMs: number;
}

/** Reads the attempts of windows that are not over, by subject. */
export async function readAttempts(
  db: Database,
  { subjects, nowMs }: { readonly subjects: readonly string[]; readonly nowMs: number },
): Promise<ReadonlyMap<string, Attempts>> {
  const rows = await db.query<{ subject: string; attempts: number; resets_at_ms: number }>(sql`
    select subject, attempts, resets_at_ms from sign_in_limit
    where ${isOneOf(sql`subject`, subjects)} and resets_at_ms > ${nowMs}`);
  return new Map(
    rows.map((row) => [row.subject, { attempts: Number(row.attempts), resetsAtMs: Number(row.resets_at_ms) }]),
  );
}

/** Takes one attempt back. */
export async function forgiveAttempt(db: Database, subject: string): Promise<void> {
  await db.query(sql`update sign_in_limit set attempts = attempts - 1 where subject = ${subject} and attempts > 0`);
}

/** Forgets windows that are over. Each statement here locks one row or waits for none, so that none blocks another. */
export async function pruneAttempts(db: Database, nowMs: number): Promise<void> {
  await db.query(sql`delete from sign_in_limit where resets_at_ms <= ${nowMs}`);
}
