import type { Database } from '@gantry/store';
import { findAccess } from '../grants/access.ts';
import { grantedExpression } from '../grants/grants.ts';
import type { AppMember, Installs } from './installs.ts';

/**
 * Repeats the effect of a member's latest decision on the install, for decisions that an older
 * version stored without it.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'proxy', migrations: proxyMigrations });
 * const installs: Installs = { withDecision: (_decision, statements) => statements };
 * const decision = { viewer: '7', app: 'friends', gives: true, nowMs: Date.now() };
 * await replayDecision({ db, installs }, decision);
 * await db.close();
 * @param options.gives The decision granted a permission.
 * @param options.nowMs Time of the decision.
 */
export async function replayDecision(
  { db, installs }: { readonly db: Database; readonly installs: Installs },
  { viewer, app, gives, nowMs }: AppMember & { readonly gives: boolean; readonly nowMs: number },
): Promise<void> {
  const access = (await findAccess(db, { viewer, apps: [app] })).get(app);
  if (access === undefined) return;
  const granted = grantedExpression(viewer, access.app);
  await db.batch(installs.withDecision({ viewer, app, granted, gives, removesData: false, nowMs }, []));
}
