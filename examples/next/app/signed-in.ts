import { cookies } from 'next/headers';
import type { Member } from '../site/members.ts';
import { memberOf, sessionCookie } from '../site/sessions.ts';

/** Resolves with the signed-in member of this request. */
export async function signedIn(): Promise<Member | undefined> {
  return memberOf((await cookies()).get(sessionCookie)?.value);
}
