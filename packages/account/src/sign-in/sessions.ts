import { createHash } from 'node:crypto';
import type { Database } from '@gantry/store';
import { ownCookie } from '../http/cookies.ts';
import { addSession, dropSession, findSession, prolongSession } from './session-rows.ts';

export interface Session {
  readonly digest: string;
  readonly memberId: string;
  readonly displayName: string;
  readonly isAdmin: boolean;
}

/** Sessions, each a random cookie of which the database holds a digest. */
export interface Sessions {
  /** Begins a session and ends the one that the browser had. @returns `Set-Cookie` */
  begin(memberId: string, request: Request): Promise<string>;
  find(request: Request): Promise<Session | undefined>;
  /** @returns `Set-Cookie` that removes the cookie. */
  end(request: Request): Promise<string>;
}

const day = 24 * 60 * 60 * 1000;
const unusedMs = 14 * day;
const longestMs = 90 * day;
const prolongEveryMs = day;

export function createSessions(options: {
  readonly db: Database;
  readonly publicUrl: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}): Sessions {
  const { db, publicUrl, now, random } = options;
  const cookie = ownCookie(publicUrl, 'gantry_session');

  function digestIn(request: Request): string | undefined {
    const value = cookie.read(request.headers.get('cookie'));
    if (value === undefined || !/^[A-Za-z0-9_-]{43}$/.test(value)) return undefined;
    return digestOf(value);
  }

  async function drop(request: Request): Promise<void> {
    const digest = digestIn(request);
    if (digest !== undefined) await dropSession(db, digest);
  }

  return {
    async begin(memberId, request) {
      await drop(request);
      const value = Buffer.from(random(32)).toString('base64url');
      const nowMs = now();
      await addSession(db, { digest: digestOf(value), memberId, nowMs, expiresAtMs: nowMs + unusedMs });
      return cookie.write(value, longestMs / 1000);
    },
    async find(request) {
      const digest = digestIn(request);
      if (digest === undefined) return undefined;
      const nowMs = now();
      const row = await findSession(db, { digest, nowMs, oldestMs: nowMs - longestMs });
      if (!row) return undefined;
      const expiresAtMs = nowMs + unusedMs;
      if (expiresAtMs - Number(row.expires_at_ms) >= prolongEveryMs) await prolongSession(db, { digest, expiresAtMs });
      return { digest, memberId: row.member_id, displayName: row.display_name, isAdmin: row.admin === 1 };
    },
    async end(request) {
      await drop(request);
      return cookie.write('', 0);
    },
  };
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
