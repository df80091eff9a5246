'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { ownPath } from '../../site/address.ts';
import { checkPassword } from '../../site/members.ts';
import { beginSession, cookieOptions, sessionCookie } from '../../site/sessions.ts';

/** Begins a session with an id of its own, or resolves with the reason why not. */
export async function signIn(_: string | undefined, form: FormData): Promise<string> {
  const member = await checkPassword(String(form.get('name')), String(form.get('password')));
  if (!member) return 'Name and password do not belong together.';
  (await cookies()).set(sessionCookie, beginSession(member), cookieOptions);
  redirect(ownPath(String(form.get('return'))));
}
