import { type Database, type Statement, sql } from '@gantry/store';
import { findKnownApp, type KnownApp } from './known-app.ts';
import { noFolder, writerOf } from './registrations.ts';

/**
 * Removes an app with its grants and write log. A row of `removed_apps` stays: since its data is
 * still stored, the next registration of the id must say whether it is the same app.
 *
 * @param options.also Statements for the same transaction.
 * @returns False if there is no such app.
 */
export async function removeApp(
  db: Database,
  id: string,
  { also = [], now = Date.now }: { readonly also?: readonly Statement[]; readonly now?: () => number } = {},
): Promise<boolean> {
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return false;
  const { name, source, registration, consumerKey, registeredAtMs = null } = app;
  const [folder, url] = source.kind === 'remote' ? [null, source.url] : [source.folder ?? noFolder, null];
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

/** Returns the statements that delete an app's grants and write log. */
export function forgetDecisions(id: string, app: KnownApp | undefined): readonly Statement[] {
  const writers = [id, ...(app ? [writerOf(app)] : [])];
  return [
    sql`delete from app_grants where app_id = ${id}`,
    sql`delete from write_log where app in (${sql.join(writers)})`,
  ];
}
