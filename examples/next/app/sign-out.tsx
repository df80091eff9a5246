'use client';

import type { FormEvent } from 'react';

const container = '/gantry/container.js';

/** Signs out, and has this browser forget what gadgets kept of the member. */
export function SignOut() {
  return (
    <form method="post" action="/sign-out" onSubmit={signOut}>
      <button type="submit">Sign out</button>
    </form>
  );
}

async function signOut(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  await fetch('/sign-out', { method: 'POST' });
  const { purge }: { readonly purge: () => Promise<void> } = await import(/* turbopackIgnore: true */ container);
  await purge();
  location.assign('/');
}
