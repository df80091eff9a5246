import { type Database, sql } from '@gantry/store';

export interface Attempt {
  readonly subject: string;
  /** Most attempts of this subject in one window. */
  readonly most: number;
  readonly nowMs: number;
  readonly windowMs: number;
}

/**
 * Counts one attempt atomically, so that parallel ones cannot exceed the limit.
 *
 * @returns False if the limit is reached; nothing is counted.
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

/** Returns the attempts of open windows, by subject. */
export async function readAttempts(
  db: Database,
  { subjects, nowMs }: { readonly subjects: readonly string[]; readonly nowMs: number },
): Promise<ReadonlyMap<string, Attempts>> {
  const rows = await db.query<{ subject: string; attempts: number; resets_at_ms: number }>(sql`
    select subject, attempts, resets_at_ms from sign_in_limit
    where subject in (${sql.list(subjects)}) and resets_at_ms > ${nowMs}`);
  return new Map(
    rows.map((row) => [row.subject, { attempts: Number(row.attempts), resetsAtMs: Number(row.resets_at_ms) }]),
  );
}

/** Removes one attempt from the count. */
export async function forgiveAttempt(db: Database, subject: string): Promise<void> {
  await db.query(sql`update sign_in_limit set attempts = attempts - 1 where subject = ${subject} and attempts > 0`);
}

/** Deletes expired windows. Each statement here locks at most one row, so none blocks another. */
export async function pruneAttempts(db: Database, nowMs: number): Promise<void> {
  await db.query(sql`delete from sign_in_limit where resets_at_ms <= ${nowMs}`);
}
