import { auditEntry, findKnownApp, type KnownApp, logAppChange, removeApp, reportAppEnd } from '@gantry/proxy';
import { activation, endAppForAll, endAppKeys } from '@gantry/service';
import { sql } from '@gantry/store';
import { changeLogOf } from '../data/change-log.ts';
import type { Stores } from '../data/stores.ts';
import type { ChangeOptions } from './attempt.ts';

/**
 * Removes an app: its address, keys, grants, and records of which members have it. AppData and
 * posts stay; so does the id's history, which `addApp` checks. Its versions are deleted after a
 * day.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await dropApp(stores, 'quiz'); // false
 * await stores.db.close();
 * @returns false if there is no such app.
 */
export async function dropApp({ db }: Stores, id: string, options: ChangeOptions = {}): Promise<boolean> {
  const { by = 'server', now = Date.now } = options;
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return false;
  const { isSite } = await changeLogOf(db);
  const nowMs = now();
  const ends = isSite
    ? [...endAppForAll(id, { removesData: false }), endAppKeys(id, 'all')]
    : reportAppEnd(id, { removesData: false, nowMs });
  const from = liveVersion(app);
  const entry = auditEntry({ atMs: nowMs, actor: by, app: id, action: 'remove', from, outcome: 'done' });
  return removeApp(db, id, { also: [...ends, entry], now: () => nowMs });
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
export async function setPaused(
  { db }: Stores,
  id: string,
  isPaused: boolean,
  options: ChangeOptions = {},
): Promise<boolean> {
  const { by = 'server', now = Date.now } = options;
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return false;
  const { isSite, log } = await changeLogOf(db);
  const change = isSite
    ? activation(id, !isPaused)
    : sql`update app_registrations set paused = ${Number(isPaused)} where id = ${id}`;
  const [action, to] = [isPaused ? 'pause' : 'resume', liveVersion(app)];
  const entry = auditEntry({ atMs: now(), actor: by, app: id, action, to, outcome: 'done' });
  await db.batch([change, entry, logAppChange(log, id)]);
  return true;
}

/** Returns the digest of an app's live version; `undefined` for a live folder or a remote app. */
export function liveVersion({ source }: Pick<KnownApp, 'source'>): string | undefined {
  return source.kind === 'stored' ? source.version : undefined;
}
