import { cookies } from 'next/headers';
import type { Member } from '../site/members.ts';
import { memberOf, sessionCookie } from '../site/sessions.ts';

/** Resolves with the member who asks for this page. */
export async function signedIn(): Promise<Member | undefined> {
  return memberOf((await cookies()).get(sessionCookie)?.value);
}
