import { type Database, sql } from '@gantry/store';

export interface Attempts {
  readonly attempts: number;
  readonly resetsAtMs: number;
}

export interface Attempt {
  readonly subject: string;
  readonly nowMs: number;
  readonly windowMs: number;
}

/** Counts one attempt and answers how many there were in this window, in one statement: parallel guesses count, too. */
export async function countAttempt(db: Database, { subject, nowMs, windowMs }: Attempt): Promise<Attempts> {
  const isOver = sql`sign_in_limit.resets_at_ms <= ${nowMs}`;
  const [row] = await db.query<{ attempts: number; resets_at_ms: number }>(sql`
    insert into sign_in_limit (subject, attempts, resets_at_ms) values (${subject}, 1, ${nowMs + windowMs})
    on conflict (subject) do update set
      attempts = case when ${isOver} then 1 else sign_in_limit.attempts + 1 end,
      resets_at_ms = case when ${isOver} then excluded.resets_at_ms else sign_in_limit.resets_at_ms end
    returning attempts, resets_at_ms`);
  return { attempts: Number(row?.attempts), resetsAtMs: Number(row?.resets_at_ms) };
}

/** Takes attempts back that turned out to be right, and forgets windows that are over. */
export async function forgiveAttempts(
  db: Database,
  { subjects, nowMs }: { readonly subjects: readonly string[]; readonly nowMs: number },
): Promise<void> {
  await db.batch([
    ...subjects.map(
      (subject) => sql`update sign_in_limit set attempts = attempts - 1 where subject = ${subject} and attempts > 0`,
    ),
    sql`delete from sign_in_limit where resets_at_ms <= ${nowMs}`,
  ]);
}
