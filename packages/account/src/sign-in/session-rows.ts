import { type Database, sql } from '@gantry/store';

/** Session and its member, as pages need them. */
export interface SessionRow {
  readonly member_id: string;
  readonly display_name: string;
  readonly admin: number;
  readonly expires_at_ms: number;
}

export interface NewSession {
  readonly digest: string;
  readonly memberId: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Most sessions of one member: more than the browsers they use. */
const mostOfMember = 100;
// SQLite has no offset without a limit.
const mostCounted = 1_000_000;

/** Stores a session; deletes expired ones, and the oldest of a member with too many. */
export async function addSession(db: Database, { digest, memberId, nowMs, expiresAtMs }: NewSession): Promise<void> {
  await db.batch([
    sql`delete from member_session where expires_at_ms <= ${nowMs}`,
    sql`
      delete from member_session where digest in (
        select digest from member_session where member_id = ${memberId}
        order by created_at_ms desc, digest limit ${mostCounted} offset ${mostOfMember - 1}
      )`,
    sql`
      insert into member_session (digest, member_id, created_at_ms, expires_at_ms)
      values (${digest}, ${memberId}, ${nowMs}, ${expiresAtMs})`,
  ]);
}

export async function findSession(
  db: Database,
  { digest, nowMs, oldestMs }: { readonly digest: string; readonly nowMs: number; readonly oldestMs: number },
): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(sql`
    select member_id, display_name, admin, expires_at_ms from member_session join member on member.id = member_id
    where digest = ${digest} and expires_at_ms > ${nowMs} and created_at_ms > ${oldestMs}`);
  return row;
}

export async function prolongSession(
  db: Database,
  { digest, expiresAtMs }: { readonly digest: string; readonly expiresAtMs: number },
): Promise<void> {
  await db.query(sql`update member_session set expires_at_ms = ${expiresAtMs} where digest = ${digest}`);
}

export async function dropSession(db: Database, digest: string): Promise<void> {
  await db.query(sql`delete from member_session where digest = ${digest}`);
}
