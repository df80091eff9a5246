import { type Database, type Statement, sql } from '@gantry/store';
import type { Manifest } from '../apps/manifest.ts';
import { storedManifest } from '../apps/registrations.ts';

/** The app that has an id now, as far as its versions are concerned. */
export interface PresentApp {
  readonly registration: string;
  /** Digest of the live version. Null: its folder is served as it is, or it has its own server. */
  readonly version: string | null;
  readonly isRemote: boolean;
  readonly isPaused: boolean;
  readonly manifest: Manifest;
}

/** Finds the registered app of an id. @param paused Condition over `app_registrations`. */
export async function findPresentApp(
  db: Database,
  { app, paused }: { readonly app: string; readonly paused: Statement },
): Promise<PresentApp | undefined> {
  const [row] = await db.query<Row>(sql`
    select registration, version, url, manifest, case when ${paused} then 1 else 0 end as paused
    from app_registrations where id = ${app}`);
  if (row === undefined) return undefined;
  const { registration, version, url, paused: isPaused, manifest } = row;
  return {
    ...{ registration, version, manifest: storedManifest(manifest) },
    ...{ isRemote: url !== null, isPaused: isPaused === 1 },
  };
}

interface Row {
  readonly registration: string;
  readonly version: string | null;
  readonly url: string | null;
  readonly manifest: string;
  readonly paused: number;
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
