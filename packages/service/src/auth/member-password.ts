import type { Database } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { memberExists } from '../store/members.ts';
import { passwordHashOf, passwordWrites, rehash } from '../store/passwords.ts';
import { type Passwords, passwordProblem } from './passwords.ts';

interface MemberPassword {
  readonly memberId: string;
  readonly password: string;
  readonly passwords: Passwords;
  readonly now?: () => number;
}

/**
 * Sets a member's password and ends all of their sessions.
 *
 * @throws SocialError BAD_REQUEST for a password of a wrong length, or an unknown member.
 */
export async function setPassword(
  db: Database,
  { memberId, password, passwords, now = Date.now }: MemberPassword,
): Promise<void> {
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', problem);
  if (!(await memberExists(db, memberId))) throw new SocialError('BAD_REQUEST', 'There is no such member.');
  await db.batch(passwordWrites({ memberId, hash: await passwords.hash(password), nowMs: now() }));
}

/** Checks a member's password and updates an outdated hash. An unknown member takes as long. */
export async function checkPassword(
  db: Database,
  { memberId, password, passwords }: Omit<MemberPassword, 'now'>,
): Promise<boolean> {
  const stored = isId(memberId) ? await passwordHashOf(db, memberId) : undefined;
  if (!(await passwords.matches(stored, password)) || stored === undefined) return false;
  if (passwords.isOutdated(stored)) {
    await db.query(rehash(memberId, { from: stored, to: await passwords.hash(password) }));
  }
  return true;
}
