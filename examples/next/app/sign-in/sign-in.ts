'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { ownPath } from '../../site/address.ts';
import { checkPassword } from '../../site/members.ts';
import { beginSession, cookieOptions, sessionCookie } from '../../site/sessions.ts';

/** Starts a session with a new id, or resolves with the error message. */
export async function signIn(_: string | undefined, form: FormData): Promise<string> {
  const member = await checkPassword(String(form.get('name')), String(form.get('password')));
  if (!member) return 'Name and password do not belong together.';
  (await cookies()).set(sessionCookie, beginSession(member), cookieOptions);
  redirect(ownPath(String(form.get('return'))));
}
