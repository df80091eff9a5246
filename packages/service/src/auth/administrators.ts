import { type Database, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { memberExists } from '../store/members.ts';
import { passwordWrites } from '../store/passwords.ts';
import { type Passwords, passwordProblem } from './passwords.ts';

/** Member who may authorize consumers for any member and create administrators' keys. */
export interface Administrator {
  readonly id: string;
  readonly displayName: string;
  /** True if they can sign in on Gantry's own page. */
  readonly hasPassword: boolean;
}

/** Returns all administrators, ordered by id. */
export async function listAdministrators(db: Database): Promise<readonly Administrator[]> {
  const rows = await db.query<{ id: string; display_name: string; hash: string | null }>(sql`
    select id, display_name, hash from member left join member_password on member_id = id where admin = 1
    order by length(id), id`);
  return rows.map(({ id, display_name, hash }) => ({ id, displayName: display_name, hasPassword: hash !== null }));
}

/**
 * Grants or withdraws administrator rights.
 *
 * @returns False if there is no such member.
 */
export async function setAdministrator(db: Database, memberId: string, isAdmin: boolean): Promise<boolean> {
  const changed = await db.query(sql`update member set admin = ${Number(isAdmin)} where id = ${memberId} returning id`);
  return changed.length === 1;
}

/**
 * Sets a member's password and ends all of their sessions.
 *
 * @throws SocialError BAD_REQUEST for a password that is too short or too long, or an unknown
 * member.
 */
export async function setPassword(
  db: Database,
  spec: {
    readonly memberId: string;
    readonly password: string;
    readonly passwords: Passwords;
    readonly now?: () => number;
  },
): Promise<void> {
  const { memberId, password, passwords, now = Date.now } = spec;
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', problem);
  if (!(await memberExists(db, memberId))) throw new SocialError('BAD_REQUEST', 'There is no such member.');
  await db.batch(passwordWrites({ memberId, hash: await passwords.hash(password), nowMs: now() }));
}
