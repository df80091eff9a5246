import { type Database, type Statement, sql } from '@gantry/store';
import { findKnownApp, type KnownApp } from './known-app.ts';
import { writerOf } from './write-log.ts';

/**
 * Forgets an app, what members let it do and how its writes ended. A note of what it was stays: `registerApp` refuses
 * the id until it is said whether another app is the same, since what the removed one stored is still there.
 *
 * @param options.also Goes in the same transaction: who has the app, and its keys.
 * @returns false where there was no such app.
 */
export async function removeApp(
  db: Database,
  id: string,
  { also = [], now = Date.now }: { readonly also?: readonly Statement[]; readonly now?: () => number } = {},
): Promise<boolean> {
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return false;
  const { name, source, registration, consumerKey, registeredAtMs = null } = app;
  const [folder, url] = source.kind === 'served' ? [source.folder, null] : [null, source.url];
  await db.batch([
    sql`delete from app_registrations where id = ${id}`,
    ...forgetDecisions(id, app),
    sql`
      insert into removed_apps
        (id, registration, name, folder, url, consumer_key, registered_at_ms, removed_at_ms)
      values (${id}, ${registration}, ${name}, ${folder}, ${url}, ${consumerKey}, ${registeredAtMs}, ${now()})
      on conflict (id) do nothing`,
    ...also,
  ]);
  return true;
}

/** Deletes what members decided about an app and the log of its writes. */
export function forgetDecisions(id: string, known: KnownApp | undefined): readonly Statement[] {
  const writers = [id, ...(known ? [writerOf(known)] : [])];
  return [
    sql`delete from app_grants where app_id = ${id}`,
    sql`delete from write_log where app in (${sql.join(writers)})`,
  ];
}
