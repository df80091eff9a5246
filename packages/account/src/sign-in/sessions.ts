import { createHash } from 'node:crypto';
import { deleteSomeExpired, sql } from '@gantry/store';
import { ownCookie } from '../http/cookies.ts';
import type { PageContext } from '../http/page-context.ts';
import type { Member } from '../http/page-request.ts';

export interface Session {
  readonly digest: string;
  readonly member: Member;
  /** As in `PageViewer`. */
  readonly epoch: string | undefined;
}

/** Sessions, each a random cookie of which the database holds a digest. */
export type Sessions = ReturnType<typeof createSessions>;

const day = 24 * 60 * 60 * 1000;
const unusedMs = 14 * day;
const longestMs = 90 * day;
const prolongEveryMs = day;

/** Most sessions of one member: more than the browsers they use. */
const mostOfMember = 100;

const session = { table: sql`member_session`, key: ['digest'] };

interface SessionRow {
  readonly id: string;
  readonly display_name: string;
  readonly admin: number;
  readonly expires_at_ms: number;
  readonly removed_at_ms: number | null;
}

export function createSessions(options: Pick<PageContext, 'db' | 'publicUrl' | 'now' | 'random'>) {
  const { db, publicUrl, now, random } = options;
  const cookie = ownCookie(publicUrl, 'gantry_session');

  function digestIn(request: Request): string | undefined {
    const value = cookie.read(request.headers.get('cookie'));
    if (value === undefined || !/^[A-Za-z0-9_-]{43}$/.test(value)) return undefined;
    return digestOf(value);
  }

  async function drop(request: Request): Promise<void> {
    const digest = digestIn(request);
    if (digest !== undefined) await db.query(sql`delete from member_session where digest = ${digest}`);
  }

  return {
    /** Begins a session and ends the one that the browser had. @returns `Set-Cookie` */
    async begin(memberId: string, request: Request): Promise<string> {
      await drop(request);
      const value = Buffer.from(random(32)).toString('base64url');
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
          values (${digestOf(value)}, ${memberId}, ${nowMs}, ${nowMs + unusedMs})`,
      ]);
      return cookie.write(value, longestMs / 1000);
    },
    async find(request: Request): Promise<Session | undefined> {
      const digest = digestIn(request);
      if (digest === undefined) return undefined;
      const nowMs = now();
      const [row] = await db.query<SessionRow>(sql`
        select id, display_name, admin, expires_at_ms, removed_at_ms
        from member_session join member on member.id = member_session.member_id
        left join removed_member on removed_member.member_id = member.id
        where digest = ${digest} and expires_at_ms > ${nowMs} and created_at_ms > ${nowMs - longestMs}`);
      if (!row) return undefined;
      const { id, display_name: displayName, admin, expires_at_ms } = row;
      const expiresAtMs = nowMs + unusedMs;
      if (expiresAtMs - Number(expires_at_ms) >= prolongEveryMs) {
        await db.query(sql`update member_session set expires_at_ms = ${expiresAtMs} where digest = ${digest}`);
      }
      return { digest, member: { id, displayName, isAdmin: admin === 1 }, epoch: epochOf(row) };
    },
    /** @returns `Set-Cookie` that removes the cookie. */
    async end(request: Request): Promise<string> {
      await drop(request);
      return cookie.write('', 0);
    },
  };
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** @param row Time at which an earlier member with the id was removed. */
export function epochOf(row: { readonly removed_at_ms: number | null }): string | undefined {
  return row.removed_at_ms === null ? undefined : String(row.removed_at_ms);
}
