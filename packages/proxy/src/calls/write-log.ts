import { type Database, deleteExpired, type Statement, sql } from '@gantry/store';

export interface LoggedWrite {
  readonly digest: string;
  /** `unknown`: it cannot be determined whether the write was done. */
  readonly state: 'started' | 'done' | 'unknown';
  readonly attempt: string;
  /** JSON text of the reply, once it is done. */
  readonly reply: string | null;
  readonly at_ms: number;
}

/** One attempt. Its key holds member and app: none meets another's writes (security rule 3). */
export interface WriteAttempt {
  readonly viewer: string;
  /** From `writerOf`. */
  readonly app: string;
  readonly id: string;
  readonly digest: string;
  readonly attempt: string;
  readonly nowMs: number;
}

/** Longer than any page retries a write. */
const keptMs = 48 * 60 * 60 * 1000;

/** Claims a write. Resolves with false, and changes nothing, if it has been claimed before. */
export async function beginWrite(db: Database, mine: WriteAttempt): Promise<boolean> {
  const { viewer, app, id, digest, attempt, nowMs } = mine;
  const rows = await db.query(sql`
    insert into write_log (viewer, app, id, digest, state, attempt, at_ms)
    values (${viewer}, ${app}, ${id}, ${digest}, 'started', ${attempt}, ${nowMs})
    on conflict (viewer, app, id) do nothing returning id`);
  return rows.length > 0;
}

export async function findWrite(db: Database, mine: WriteAttempt): Promise<LoggedWrite | undefined> {
  const [row] = await db.query<LoggedWrite>(sql`
    select digest, state, attempt, reply, at_ms from write_log where ${sameWrite(mine)}`);
  return row;
}

/** Takes over a write from a dead attempt. Resolves with false if another one was faster. */
export async function takeWrite(db: Database, from: string, to: WriteAttempt): Promise<boolean> {
  const rows = await db.query(sql`
    update write_log set attempt = ${to.attempt}, at_ms = ${to.nowMs}
    where ${sameWrite(to)} and state = 'started' and attempt = ${from} returning id`);
  return rows.length > 0;
}

/** Stores the outcome of a write. @param reply JSON text; null if the outcome is unknown. */
export async function endWrite(db: Database, mine: WriteAttempt, reply: string | null): Promise<void> {
  const { viewer, app, id, attempt } = mine;
  const state = reply === null ? 'unknown' : 'done';
  // Not `sameWrite`: drivers recognise a statement without parts, and this one ends every write.
  await db.query(sql`
    update write_log set state = ${state}, reply = ${reply}
    where viewer = ${viewer} and app = ${app} and id = ${id} and attempt = ${attempt}`);
}

/** Deletes the claim of a write that was not done, so that a retry does it. */
export async function forgetWrite(db: Database, mine: WriteAttempt): Promise<void> {
  await db.query(sql`delete from write_log where ${sameWrite(mine)} and attempt = ${mine.attempt}`);
}

export function pruneWrites(db: Database, nowMs: number): Promise<void> {
  const where = sql`at_ms < ${nowMs - keptMs}`;
  return deleteExpired(db, { table: sql`write_log`, key: ['viewer', 'app', 'id'], where });
}

function sameWrite({ viewer, app, id }: WriteAttempt): Statement {
  return sql`viewer = ${viewer} and app = ${app} and id = ${id}`;
}
