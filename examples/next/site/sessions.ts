import { createHash, randomBytes } from 'node:crypto';
import { url } from './address.ts';
import { database } from './database.ts';
import type { Member } from './members.ts';

const lifetimeMs = 14 * 86_400_000;

export const sessionCookie = 'sid';
export const cookieOptions = {
  httpOnly: true,
  sameSite: 'lax',
  secure: url.startsWith('https:'),
  path: '/',
  maxAge: lifetimeMs / 1000,
} as const;

/** Starts a session and returns its id. The table has the hash only. */
export function beginSession(member: string): string {
  const id = randomBytes(32).toString('base64url');
  database().prepare('delete from session where expires_ms < ?').run(Date.now());
  database()
    .prepare('insert into session values (?, ?, ?)')
    .run(hashed(id), member, Date.now() + lifetimeMs);
  return id;
}

/** Returns the member of a session, for Next's pages and for Gantry. */
export function memberOf(id: string | undefined): Member | undefined {
  if (!id) return undefined;
  const row = database()
    .prepare(
      'select id, display_name from session join member on member.id = session.member where session.hash = ? and expires_ms > ?',
    )
    .get(hashed(id), Date.now());
  return row && { id: String(row.id), displayName: String(row.display_name) };
}

export function endSession(id: string): void {
  database().prepare('delete from session where hash = ?').run(hashed(id));
}

function hashed(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
