'use server';

import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { ownPath } from '../../site/address.ts';
import { checkPassword } from '../../site/members.ts';
import { beginSession, cookieOptions, sessionCookie } from '../../site/sessions.ts';
import { allowsAttempt, forgetAttempt } from '../../site/sign-in-limit.ts';

/** Starts a session with a new id, or resolves with the error message. */
export async function signIn(_: string | undefined, form: FormData): Promise<string> {
  const name = String(form.get('name'));
  const address = (await headers()).get('x-forwarded-for') ?? ''; // server.ts sets it
  if (!allowsAttempt(name, address)) return 'Too many attempts. Wait a quarter of an hour.';
  const member = await checkPassword(name, String(form.get('password')));
  if (!member) return 'Name and password do not belong together.';
  forgetAttempt(name, address);
  (await cookies()).set(sessionCookie, beginSession(member), cookieOptions);
  redirect(ownPath(String(form.get('return'))));
}
