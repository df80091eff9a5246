import type { Database, Statement } from '@gantry/store';
import type { Passwords } from '../auth/passwords.ts';
import { passwordHashOf, passwordWrites } from '../store/passwords.ts';
import type { WorldRecord } from './schema.ts';

const atOnce = 4;

/**
 * Builds the statements that store members' passwords. An unchanged password is left alone, so that
 * repeating an import ends no session.
 *
 * @param work.onHashed Called with the number of passwords done.
 */
export async function passwordStatements(
  db: Database,
  members: readonly WorldRecord<'members'>[],
  work: { readonly passwords: Passwords; readonly nowMs: number; readonly onHashed: (count: number) => void },
): Promise<readonly Statement[]> {
  const { passwords, nowMs, onHashed } = work;

  async function ofOne(memberId: string, password: string): Promise<readonly Statement[]> {
    const stored = await passwordHashOf(db, memberId);
    if (stored !== undefined && !passwords.isOutdated(stored) && (await passwords.matches(stored, password))) return [];
    return passwordWrites({ memberId, hash: await passwords.hash(password), nowMs });
  }

  const hashed = members.flatMap(({ id, passwordHash: hash }) =>
    hash === undefined ? [] : [{ memberId: id, hash, nowMs }],
  );
  const withPassword = members.flatMap(({ id, password }) => (password === undefined ? [] : [{ id, password }]));
  const statements: Statement[] = hashed.flatMap((one) => passwordWrites(one));
  for (let start = 0; start < withPassword.length; start += atOnce) {
    const some = withPassword.slice(start, start + atOnce);
    statements.push(...(await Promise.all(some.map(({ id, password }) => ofOne(id, password)))).flat());
    onHashed(start + some.length);
  }
  return statements;
}
