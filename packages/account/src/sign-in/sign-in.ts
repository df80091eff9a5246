import type { Passwords } from '@gantry/service';
import { passwordHashOf, rehash } from '@gantry/service/pages';
import type { Database } from '@gantry/store';
import { isId } from '@gantry/wire';
import { type AttemptOf, createAttemptLimits, networkOfClient } from './attempt-limits.ts';
import type { FairQueue } from './fair-queue.ts';

export interface Credential extends AttemptOf {
  readonly password: string;
}

/**
 * Outcome of an attempt. `wrong` is the same, also in time, for a member that does not exist.
 * `busy` and `limitedForS` were not checked, and are not counted.
 */
export type SignIn = 'right' | 'wrong' | 'busy' | { readonly limitedForS: number };

export type CheckPassword = (credential: Credential) => Promise<SignIn>;

/** Makes the function that checks a password. Each attempt queues, is counted and then checked. */
export function createSignIn(options: {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly inTurn: FairQueue;
  readonly now: () => number;
}): CheckPassword {
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
    const limitedForS = await limits.limitedFor(credential); // a refused attempt takes no place in the queue
    if (limitedForS !== undefined) return { limitedForS };
    return inTurn(networkOfClient(credential.client), () => check(credential));
  };
}
