import { appChanged, findKnownApp, proxyChanges, removeApp, reportEnd } from '@gantry/proxy';
import { activation, endAppKeys, endHaving, siteChanges } from '@gantry/service';
import { sql } from '@gantry/store';
import { kindOf } from '../create-site-proxy.ts';
import type { Stores } from '../gantry.ts';

/**
 * Forgets an app's address, all its keys, what members allowed it and who has it. Its AppData and posts stay, and its id
 * remembers that: `addApp` asks whether the next app under it is the same.
 *
 * @returns false where there was no such app.
 */
export async function dropApp({ db }: Stores, id: string, now: () => number = Date.now): Promise<boolean> {
  const isSite = (await kindOf(db)) !== 'proxy';
  const also = isSite
    ? [...endHaving(id, { removesData: false }), endAppKeys(id, 'all')]
    : reportEnd(id, { removesData: false, nowMs: now() });
  return removeApp(db, id, { also, now });
}

/**
 * Pauses an app, or resumes it: gadgets show a card, its calls and its own keys are refused, and nothing is lost.
 *
 * @returns false where there is no such app.
 */
export async function setPaused({ db }: Stores, id: string, isPaused: boolean): Promise<boolean> {
  const known = await findKnownApp(db, id);
  if (known === undefined || known.removedAtMs !== undefined) return false;
  const isSite = (await kindOf(db)) !== 'proxy';
  const change = isSite
    ? activation(id, !isPaused)
    : sql`update app_registrations set paused = ${Number(isPaused)} where id = ${id}`;
  await db.batch([change, appChanged(isSite ? siteChanges : proxyChanges, id)]);
  return true;
}
