import type { Database } from '@gantry/store';
import { isId } from '@gantry/wire';
import { passwordHashOf, rehash } from '../store/passwords.ts';
import { type Client, createAttemptLimits, networkOfClient } from './attempt-limits.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Passwords } from './passwords.ts';

export interface Credential {
  readonly memberId: string;
  readonly password: string;
  readonly client: Client;
}

/**
 * Outcome of an attempt. `wrong` says no more than that: whether there is such a member does not show, nor in time.
 * `busy` and `limitedForS` were not checked, and are not counted.
 */
export type SignIn = 'right' | 'wrong' | 'busy' | { readonly limitedForS: number };

/** Makes the function that checks a password. Each attempt waits for its turn, is counted, and then checked. */
export function createSignIn(options: {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly inTurn: FairQueue;
  readonly now: () => number;
}): (credential: Credential) => Promise<SignIn> {
  const { db, passwords, inTurn } = options;
  const limits = createAttemptLimits(options);

  async function check({ memberId, password, client }: Credential): Promise<SignIn> {
    const limitedForS = await limits.count({ memberId, client });
    if (limitedForS !== undefined) return { limitedForS };
    const stored = isId(memberId) ? await passwordHashOf(db, memberId) : undefined;
    const isRight = await passwords.matches(stored, password);
    if (!isRight || stored === undefined) return 'wrong';
    await limits.forgive({ memberId, client });
    if (passwords.isOutdated(stored)) {
      await db.query(rehash(memberId, { from: stored, to: await passwords.hash(password) }));
    }
    return 'right';
  }

  return async function signIn(credential) {
    const limitedForS = await limits.limitedFor(credential); // one that is refused anyway takes no place
    if (limitedForS !== undefined) return { limitedForS };
    return inTurn(networkOfClient(credential.client), () => check(credential));
  };
}
