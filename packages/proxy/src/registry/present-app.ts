import { type Database, type Statement, sql } from '@gantry/store';
import { type AppRow, appColumns, type RegisteredApp, toRegisteredApp } from '../apps/registrations.ts';

/** The app that has an id now. */
export interface PresentApp extends RegisteredApp {
  readonly isPaused: boolean;
  /** Digest of the live version. Null: its folder is served as it is, or it has its own server. */
  readonly version: string | null;
}

/** Finds the registered app of an id. @param paused Condition over `app_registrations`. */
export async function findPresentApp(
  db: Database,
  { app, paused }: { readonly app: string; readonly paused: Statement },
): Promise<PresentApp | undefined> {
  const [row] = await db.query<AppRow & { readonly is_paused: number }>(sql`
    select ${appColumns}, case when ${paused} then 1 else 0 end as is_paused from app_registrations where id = ${app}`);
  return row && { ...toRegisteredApp(row), isPaused: row.is_paused === 1, version: row.version };
}

/**
 * Registration of an app that begins with a version that waited. An id is new only once: later it
 * has or had an app, so that the name never repeats for it.
 */
export const firstRegistration = 'first';

/** Returns the registration of which an app's versions are: those of a new app wait without one. */
export function registrationOf(present: PresentApp | undefined): string {
  return present?.registration ?? firstRegistration;
}
