import { type AppRegistration, planRegistration, type RegisterOptions, runPlan } from '@gantry/proxy';
import type { Database } from '@gantry/store';

/** Registers an app in one step. */
export async function registerApp(
  db: Database,
  secretKey: Uint8Array,
  app: AppRegistration,
  options?: RegisterOptions,
): Promise<void> {
  const { statements } = await planRegistration(db, secretKey, app, options);
  await runPlan(db, statements);
}
