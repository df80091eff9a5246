import type { Database } from '@gantry/store';
import { declaredBy, findAccess } from './access.ts';
import { grantedNow } from './grants.ts';
import type { AppMember, Having } from './having.ts';

/**
 * Has the site know again what a member has allowed an app: for decisions that were kept without that.
 *
 * @param options.gives The latest decision allowed something, which gives the app.
 * @param options.nowMs When the member decided.
 */
export async function repeatDecision(
  { db, having }: { readonly db: Database; readonly having: Having },
  { viewer, app, gives, nowMs }: AppMember & { readonly gives: boolean; readonly nowMs: number },
): Promise<void> {
  const access = (await findAccess(db, { viewer, apps: [app] })).get(app);
  if (access === undefined) return;
  const granted = grantedNow({ viewer, app: access.app, declared: declaredBy(access.app) });
  await db.batch(having.decided({ viewer, app, granted, gives, removesData: false, nowMs }, []));
}
