import { type Database, sql } from '@gantry/store';
import { type AppRow, appColumns, type RegisteredApp, sourceOf, toRegisteredApp } from './registrations.ts';

/** The app of an id: registered, or removed while its stored data may remain. Holds no secret. */
export interface KnownApp extends Omit<RegisteredApp, 'manifest'> {
  readonly name: string;
  /** Key of the consumer that signs its requests. */
  readonly consumerKey: string;
  /** From the registration; a site with its own service stores this with the app's keys. */
  readonly isPaused: boolean;
  /** Absent while it is registered. */
  readonly removedAtMs?: number;
}

type Removed = Pick<AppRow, 'id' | 'folder' | 'url' | 'registration' | 'registered_at_ms'> & {
  readonly consumer_key: string;
  readonly name: string;
  readonly removed_at_ms: number;
};
type Registered = AppRow & { readonly consumer_key: string; readonly paused: number };

/** Finds the app that has an id or had it last. Resolves with `undefined` for an unused id. */
export async function findKnownApp(db: Database, id: string): Promise<KnownApp | undefined> {
  const [row] = await db.query<Registered>(sql`
    select ${appColumns}, consumer_key, paused from app_registrations where id = ${id}`);
  if (row) {
    const { manifest, ...app } = toRegisteredApp(row);
    return { ...app, name: manifest.name, consumerKey: row.consumer_key, isPaused: row.paused === 1 };
  }
  const [removed] = await db.query<Removed>(sql`
    select id, folder, url, registration, registered_at_ms, consumer_key, name, removed_at_ms
    from removed_apps where id = ${id}`);
  if (removed === undefined) return undefined;
  const { name, registration, consumer_key: consumerKey, registered_at_ms: registeredAtMs } = removed;
  return {
    ...{ id, name, source: sourceOf(removed), registration, consumerKey, trusted: false, isPaused: false },
    ...(registeredAtMs !== null && { registeredAtMs }),
    removedAtMs: removed.removed_at_ms,
  };
}
