import { type Database, sql } from '@gantry/store';

/** What a write is called. A member and an app never meet another's (security rule 3). */
export interface WriteName {
  readonly viewer: string;
  /** As `writerOf` says. */
  readonly app: string;
  readonly id: string;
}

/** Names the app of a write. Another one that is registered under its id knows none of its writes (security rule 29). */
export function writerOf({ id, registration }: { readonly id: string; readonly registration: string }): string {
  return registration === '' ? id : `${id} ${registration}`; // no id has a space
}

/** A write as it was last seen. */
export interface LoggedWrite {
  readonly digest: string;
  /** `unknown`: it may or may not have been done, and nobody will find out. */
  readonly state: 'started' | 'done' | 'unknown';
  /** Names the attempt that holds it. */
  readonly attempt: string;
  /** JSON text of the answer, once it is done. */
  readonly reply: string | null;
  readonly at_ms: number;
}

export interface Attempt extends WriteName {
  readonly digest: string;
  readonly attempt: string;
  readonly nowMs: number;
}

/** Longer than any page repeats a write. */
const keptMs = 48 * 60 * 60 * 1000;

/** @returns False where a write of this name is known already; nothing is changed then. */
export async function beginWrite(db: Database, { viewer, app, id, digest, attempt, nowMs }: Attempt): Promise<boolean> {
  const rows = await db.query(sql`
    insert into write_log (viewer, app, id, digest, state, attempt, at_ms)
    values (${viewer}, ${app}, ${id}, ${digest}, 'started', ${attempt}, ${nowMs})
    on conflict (viewer, app, id) do nothing returning id`);
  return rows.length > 0;
}

export async function findWrite(db: Database, { viewer, app, id }: WriteName): Promise<LoggedWrite | undefined> {
  const [row] = await db.query<LoggedWrite>(sql`
    select digest, state, attempt, reply, at_ms from write_log where viewer = ${viewer} and app = ${app} and id = ${id}`);
  return row;
}

/** Takes a started write from an attempt that is over. @returns False where somebody else was faster. */
export async function takeWrite(db: Database, from: string, to: Attempt): Promise<boolean> {
  const rows = await db.query(sql`
    update write_log set attempt = ${to.attempt}, at_ms = ${to.nowMs}
    where viewer = ${to.viewer} and app = ${to.app} and id = ${to.id} and state = 'started' and attempt = ${from}
    returning id`);
  return rows.length > 0;
}

export async function endWrite(
  db: Database,
  { viewer, app, id, attempt }: Attempt,
  end: { readonly state: 'done'; readonly reply: string } | { readonly state: 'unknown' },
): Promise<void> {
  const reply = end.state === 'done' ? end.reply : null;
  await db.query(sql`
    update write_log set state = ${end.state}, reply = ${reply}
    where viewer = ${viewer} and app = ${app} and id = ${id} and attempt = ${attempt}`);
}

/** Nothing happened: whoever repeats it does it. */
export async function forgetWrite(db: Database, { viewer, app, id, attempt }: Attempt): Promise<void> {
  await db.query(sql`
    delete from write_log where viewer = ${viewer} and app = ${app} and id = ${id} and attempt = ${attempt}`);
}

export async function pruneWrites(db: Database, nowMs: number): Promise<void> {
  await db.query(sql`delete from write_log where at_ms < ${nowMs - keptMs}`);
}
