import { createHash } from 'node:crypto';
import { type Database, deleteSomeExpired, sql } from '@gantry/store';
import { type AccountMember, type AccountRow, accountColumns, accountMember } from '../store/members.ts';

export interface Session {
  readonly digest: string;
  readonly member: AccountMember;
}

/** Sessions of members. Each has a random secret, of which the database holds a digest. */
export type Sessions = ReturnType<typeof createSessions>;

const dayMs = 24 * 60 * 60 * 1000;
const unusedMs = 14 * dayMs;
const longestMs = 90 * dayMs;
const prolongEveryMs = dayMs;

/** Most sessions of one member: more than the browsers they use. */
const mostOfMember = 100;

const session = { table: sql`member_session`, key: ['digest'] };

export function createSessions(options: {
  readonly db: Database;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}) {
  const { db, now, random } = options;

  return {
    /** Begins a session. Resolves with its secret, which is valid for so long at most. */
    async begin(memberId: string): Promise<{ readonly secret: string; readonly longestS: number }> {
      const secret = Buffer.from(random(32)).toString('base64url');
      const nowMs = now();
      await db.batch([
        deleteSomeExpired({ ...session, where: sql`expires_at_ms <= ${nowMs}` }),
        deleteSomeExpired({
          ...session,
          where: sql`member_id = ${memberId} and digest not in (
            select digest from member_session where member_id = ${memberId}
            order by created_at_ms desc, digest limit ${mostOfMember - 1})`,
        }),
        sql`
          insert into member_session (digest, member_id, created_at_ms, expires_at_ms)
          values (${digestOf(secret)}, ${memberId}, ${nowMs}, ${nowMs + unusedMs})`,
      ]);
      return { secret, longestS: longestMs / 1000 };
    },
    async find(secret: string): Promise<Session | undefined> {
      const digest = digestOf(secret);
      const nowMs = now();
      const [row] = await db.query<AccountRow & { readonly expires_at_ms: number }>(sql`
        select ${accountColumns}, expires_at_ms
        from member_session join member on member.id = member_session.member_id
        where digest = ${digest} and expires_at_ms > ${nowMs} and created_at_ms > ${nowMs - longestMs}`);
      if (!row) return undefined;
      const expiresAtMs = nowMs + unusedMs;
      if (expiresAtMs - Number(row.expires_at_ms) >= prolongEveryMs) {
        await db.query(sql`update member_session set expires_at_ms = ${expiresAtMs} where digest = ${digest}`);
      }
      return { digest, member: accountMember(row) };
    },
    async end(secret: string): Promise<void> {
      await db.query(sql`delete from member_session where digest = ${digestOf(secret)}`);
    },
  };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
