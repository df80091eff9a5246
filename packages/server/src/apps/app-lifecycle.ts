import { findKnownApp, logAppChange, proxyChangeLog, removeApp, reportAppEnd } from '@gantry/proxy';
import { activation, endAppForAll, endAppKeys, siteChanges } from '@gantry/service';
import { sql } from '@gantry/store';
import { databaseKind } from '../data/database-kind.ts';
import type { Stores } from '../data/stores.ts';

/**
 * Removes an app: its address, keys, grants, and records of which members have it. AppData and
 * posts stay; so does the id's history, which `addApp` checks.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await dropApp(stores, 'quiz'); // false
 * await stores.db.close();
 * @returns false if there is no such app.
 */
export async function dropApp({ db }: Stores, id: string, now: () => number = Date.now): Promise<boolean> {
  const isSite = (await databaseKind(db)) !== 'proxy';
  const also = isSite
    ? [...endAppForAll(id, { removesData: false }), endAppKeys(id, 'all')]
    : reportAppEnd(id, { removesData: false, nowMs: now() });
  return removeApp(db, id, { also, now });
}

/**
 * Pauses an app, or resumes it. While paused, gadgets show a card, and the app's calls and own keys
 * are refused; no data is lost.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await setPaused(stores, 'quiz', true); // false
 * await stores.db.close();
 * @returns false if there is no such app.
 */
export async function setPaused({ db }: Stores, id: string, isPaused: boolean): Promise<boolean> {
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return false;
  const isSite = (await databaseKind(db)) !== 'proxy';
  const change = isSite
    ? activation(id, !isPaused)
    : sql`update app_registrations set paused = ${Number(isPaused)} where id = ${id}`;
  await db.batch([change, logAppChange(isSite ? siteChanges : proxyChangeLog, id)]);
  return true;
}
