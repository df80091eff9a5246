import { declaredBy, findKnownApp, type KnownApp, listApps, type RegisteredApp } from '@gantry/proxy';
import { isInactive, readAppUse } from '@gantry/service';
import { sql } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import { kindOf } from '../create-site-proxy.ts';
import type { Stores } from '../gantry.ts';
import { countAllMembers, countMembers } from './app-members.ts';

/** A registered app, as operators see it in a list. */
export interface ListedApp extends RegisteredApp {
  readonly state: 'active' | 'paused';
  /** Members who allowed it, have it or saved something with it. */
  readonly members: number;
}

/** All that is known of one app. Holds no secret. */
export interface AppFacts extends KnownApp {
  readonly state: 'active' | 'paused' | 'removed';
  readonly members: number;
  /** Permissions that members are asked for before it starts. */
  readonly needs: readonly PermissionName[];
  readonly mayAsk: readonly PermissionName[];
  /** Members who have it and the AppData that it saved; known to a whole site only. */
  readonly use?: Awaited<ReturnType<typeof readAppUse>>;
}

/** Every registered app, by id. */
export async function listRegistered(stores: Stores): Promise<readonly ListedApp[]> {
  const [apps, members, paused] = await Promise.all([listApps(stores.db), countAllMembers(stores), readPaused(stores)]);
  return apps.map((app) => ({
    ...app,
    state: paused.has(app.id) ? 'paused' : 'active',
    members: members.get(app.id) ?? 0,
  }));
}

/** @returns undefined for an id that no app has had. */
export async function readFacts(stores: Stores, id: string): Promise<AppFacts | undefined> {
  const { db } = stores;
  const known = await findKnownApp(db, id);
  if (known === undefined) return undefined;
  const app = (await listApps(db)).find((one) => one.id === id);
  const { required, optional } = app ? declaredBy(app) : { required: [], optional: [] };
  const isPaused = (await readPaused(stores)).has(id);
  return {
    ...known,
    state: known.removedAtMs !== undefined ? 'removed' : isPaused ? 'paused' : 'active',
    members: await countMembers(stores, id),
    needs: required,
    mayAsk: optional,
    ...((await kindOf(db)) === 'site' && { use: await readAppUse(db, id) }),
  };
}

async function readPaused({ db }: Stores): Promise<ReadonlySet<string>> {
  const isPaused = (await kindOf(db)) === 'site' ? isInactive(sql`app_registrations.id`) : sql`paused = 1`;
  const rows = await db.query<{ id: string }>(sql`select id from app_registrations where ${isPaused}`);
  return new Set(rows.map(({ id }) => id));
}
