'use client';

import { useActionState } from 'react';
import { signIn } from './sign-in.ts';

export function SignInForm({ back }: { readonly back: string }) {
  const [error, send, isPending] = useActionState(signIn, undefined);
  return (
    <>
      {error && <p role="alert">{error}</p>}
      <form className="sign-in" action={send}>
        <input type="hidden" name="return" value={back} />
        <label htmlFor="name">Name</label>
        <input id="name" name="name" required autoComplete="username" autoCapitalize="none" />
        <label htmlFor="password">Password</label>
        <input id="password" name="password" type="password" required autoComplete="current-password" />
        <button type="submit" aria-disabled={isPending}>
          Sign in
        </button>
      </form>
    </>
  );
}
