import { type Database, sql } from '@gantry/store';
import { type AppRow, type RegisteredApp, sourceOf } from './registrations.ts';

/** The app of an id: registered, or removed while its stored data may remain. Holds no secret. */
export interface KnownApp {
  readonly id: string;
  readonly name: string;
  readonly source: RegisteredApp['source'];
  readonly registration: string;
  /** Key of the consumer that signs its requests. */
  readonly consumerKey: string;
  readonly trusted: boolean;
  /** From the registration; a site with its own service stores this with the app's keys. */
  readonly isPaused: boolean;
  /** Absent for an app from 0.1. */
  readonly registeredAtMs?: number;
  readonly updatedAtMs?: number;
  /** Absent while it is registered. */
  readonly removedAtMs?: number;
}

type Named = Pick<AppRow, 'id' | 'folder' | 'url' | 'registration' | 'registered_at_ms'> & {
  readonly consumer_key: string;
};
type Registered = Named & Pick<AppRow, 'manifest' | 'trusted' | 'updated_at_ms'> & { readonly paused: number };
type Removed = Named & { readonly name: string; readonly removed_at_ms: number };

/**
 * Finds the app that has an id or had it last. Resolves with `undefined` for an unused id.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'proxy', migrations: proxyMigrations });
 * await findKnownApp(db, 'friends'); // undefined
 * await db.close();
 */
export async function findKnownApp(db: Database, id: string): Promise<KnownApp | undefined> {
  const columns = sql`id, folder, url, registration, registered_at_ms, consumer_key`;
  const [app] = await db.query<Registered>(sql`
    select ${columns}, manifest, trusted, paused, updated_at_ms from app_registrations where id = ${id}`);
  if (app) {
    const { updated_at_ms: updatedAtMs, trusted, paused, manifest } = app;
    const name = JSON.parse(manifest).name as string;
    const flags = { trusted: trusted === 1, isPaused: paused === 1 };
    return { ...knownOf(app), name, ...flags, ...(updatedAtMs !== null && { updatedAtMs }) };
  }
  const [gone] = await db.query<Removed>(sql`
    select ${columns}, name, removed_at_ms from removed_apps where id = ${id}`);
  return (
    gone && { ...knownOf(gone), name: gone.name, trusted: false, isPaused: false, removedAtMs: gone.removed_at_ms }
  );
}

function knownOf(row: Named): Omit<KnownApp, 'name' | 'trusted' | 'isPaused'> {
  const { id, registration, consumer_key: consumerKey, registered_at_ms: registeredAtMs } = row;
  return { id, source: sourceOf(row), registration, consumerKey, ...(registeredAtMs !== null && { registeredAtMs }) };
}
