import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Database } from '@gantry/store';
import { isId } from '@gantry/wire';
import { passwordHashOf, rehash } from '../store/passwords.ts';
import { countAttempt, forgiveAttempts } from '../store/sign-in-limits.ts';
import type { Passwords } from './passwords.ts';

export interface Credential {
  readonly memberId: string;
  readonly password: string;
  /** Network address that it came from, where that is known. */
  readonly address?: string | undefined;
}

/** `wrong` says no more than that: whether there is such a member does not show, nor in time. */
export type SignIn = 'right' | 'wrong' | { readonly limitedForS: number };

const windowMs = 15 * 60 * 1000;
/** Attempts in a quarter of an hour. Right ones do not count. */
const most = { member: 10, address: 50 } as const;

/** Makes the function that checks a password. Guesses are counted before they are checked, in every process together. */
export function createSignIn({
  db,
  passwords,
  now,
}: {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly now: () => number;
}): (credential: Credential) => Promise<SignIn> {
  return async function signIn({ memberId, password, address }) {
    const nowMs = now();
    const counted: string[] = [];
    // The address first: whoever is over its limit cannot spend the limits of members, too.
    const kinds = [['address', address && networkOf(address)] as const, ['member', memberId] as const];
    for (const [kind, name] of kinds) {
      if (name === undefined) continue;
      const subject = createHash('sha256').update(`${kind}/${name}`).digest('base64url');
      const { attempts, resetsAtMs } = await countAttempt(db, { subject, nowMs, windowMs });
      if (attempts > most[kind]) return { limitedForS: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)) };
      counted.push(subject);
    }
    const stored = isId(memberId) ? await passwordHashOf(db, memberId) : undefined;
    const isRight = await passwords.matches(stored, password);
    if (!isRight || stored === undefined) return 'wrong';
    await forgiveAttempts(db, { subjects: counted, nowMs });
    if (passwords.isOutdated(stored)) {
      await db.query(rehash(memberId, { from: stored, to: await passwords.hash(password) }));
    }
    return 'right';
  };
}

/** Whoever has one IPv6 address usually has its whole /64. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return `${full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
