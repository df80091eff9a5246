import { createSessions as createStoredSessions, type Session } from '@gantry/service/account';
import { ownCookie } from '../http/cookies.ts';
import type { PageContext } from '../request/page-context.ts';

/** Sessions of browsers, each in a cookie. */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(options: Pick<PageContext, 'db' | 'publicUrl' | 'now' | 'random'>) {
  const stored = createStoredSessions(options);
  const cookie = ownCookie(options.publicUrl, 'gantry_session');

  function secretIn(request: Request): string | undefined {
    const value = cookie.read(request.headers.get('cookie'));
    return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
  }

  const sessions = {
    /** Begins a session and ends the one that the browser had. @returns `Set-Cookie` */
    async begin(memberId: string, request: Request): Promise<string> {
      await sessions.end(request);
      const { secret, longestS } = await stored.begin(memberId);
      return cookie.write(secret, longestS);
    },
    async find(request: Request): Promise<Session | undefined> {
      const secret = secretIn(request);
      return secret === undefined ? undefined : stored.find(secret);
    },
    /** @returns `Set-Cookie` that removes the cookie. */
    async end(request: Request): Promise<string> {
      const secret = secretIn(request);
      if (secret !== undefined) await stored.end(secret);
      return cookie.write('', 0);
    },
  };
  return sessions;
}
