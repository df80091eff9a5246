import { type Database, type Statement, sql } from '@gantry/store';

/** Returns the stored hash of a member's password. */
export async function passwordHashOf(db: Database, memberId: string): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string }>(sql`select hash from member_password where member_id = ${memberId}`);
  return row?.hash;
}

export interface NewPassword {
  readonly memberId: string;
  readonly hash: string;
  readonly nowMs: number;
}

/** Stores a password and ends the member's sessions. */
export function passwordWrites({ memberId, hash, nowMs }: NewPassword): readonly Statement[] {
  return [
    sql`
      insert into member_password (member_id, hash, changed_at_ms) values (${memberId}, ${hash}, ${nowMs})
      on conflict (member_id) do update set hash = excluded.hash, changed_at_ms = excluded.changed_at_ms`,
    sql`delete from member_session where member_id = ${memberId}`,
  ];
}

/** Replaces a hash by one of the same password at the current cost, unless the password changed. */
export function rehash(memberId: string, { from, to }: { readonly from: string; readonly to: string }): Statement {
  return sql`update member_password set hash = ${to} where member_id = ${memberId} and hash = ${from}`;
}
