import type { Database, Statement } from '@gantry/store';
import type { Passwords } from '../auth/passwords.ts';
import { chunks } from '../store/chunks.ts';
import { passwordHashOf, passwordWrites } from '../store/passwords.ts';
import type { World } from './schema.ts';

const atOnce = 4;

/**
 * Builds the statements that store members' passwords. An unchanged password is left alone, so that
 * repeating an import ends no session.
 *
 * @param work.onHashed Called with the number of passwords done, and once more at the end.
 */
export async function passwordStatements(
  db: Database,
  members: World['members'],
  work: { readonly passwords: Passwords; readonly nowMs: number; readonly onHashed: (count: number) => void },
): Promise<readonly Statement[]> {
  const { passwords, nowMs, onHashed } = work;

  async function ofOne(memberId: string, password: string): Promise<readonly Statement[]> {
    const stored = await passwordHashOf(db, memberId);
    if (stored !== undefined && !passwords.isOutdated(stored) && (await passwords.matches(stored, password))) return [];
    return passwordWrites({ memberId, hash: await passwords.hash(password), nowMs });
  }

  const statements = members.flatMap(({ id: memberId, passwordHash: hash }) =>
    hash === undefined ? [] : passwordWrites({ memberId, hash, nowMs }),
  );
  const withPassword = members.flatMap(({ id, password }) => (password === undefined ? [] : [{ id, password }]));
  let done = 0;
  for (const some of chunks(withPassword, atOnce)) {
    statements.push(...(await Promise.all(some.map(({ id, password }) => ofOne(id, password)))).flat());
    done += some.length;
    onHashed(done);
  }
  onHashed(done);
  return statements;
}
