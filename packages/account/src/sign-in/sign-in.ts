import type { Passwords } from '@gantry/service';
import { checkPassword, createAttemptLimits } from '@gantry/service/account';
import type { Database } from '@gantry/store';
import { networkOfClient } from '../http/network.ts';
import { type AttemptOf, limitsOf } from './attempt-limits.ts';
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
    const attempt = limitsOf({ memberId, client });
    const limitedForS = await limits.count(attempt);
    if (limitedForS !== undefined) return { limitedForS };
    if (!(await checkPassword(db, { memberId, password, passwords }))) return 'wrong';
    await limits.forgive(attempt);
    return 'right';
  }

  return async function signIn(credential) {
    const limitedForS = await limits.limitedFor(limitsOf(credential)); // a refused attempt takes no place in the queue
    if (limitedForS !== undefined) return { limitedForS };
    return inTurn(networkOfClient(credential.client), () => check(credential));
  };
}
