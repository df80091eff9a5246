import {
  declaredBy,
  findKnownApp,
  type KnownApp,
  listApps,
  membersWithGrants,
  type RegisteredApp,
} from '@gantry/proxy';
import { isInactive, membersOfApps, readAppUse } from '@gantry/service';
import { sql } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import { databaseKind } from '../data/database-kind.ts';
import type { Stores } from '../data/stores.ts';

/** A registered app in an operator's list. */
export interface ListedApp extends RegisteredApp {
  readonly state: 'active' | 'paused';
  /** Members who allowed it, have it, or have data saved by it. */
  readonly members: number;
}

/** Everything known about one app, without secrets. */
export interface AppFacts extends KnownApp {
  readonly state: 'active' | 'paused' | 'removed';
  readonly members: number;
  /** Permissions required before it starts. */
  readonly needs: readonly PermissionName[];
  readonly mayAsk: readonly PermissionName[];
  /** Members who have it, and the size of its AppData. Absent behind `gantry proxy`. */
  readonly use?: Awaited<ReturnType<typeof readAppUse>>;
}

/**
 * Lists all registered apps, sorted by id.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await listRegistered(stores); // []
 * await stores.db.close();
 */
export async function listRegistered(stores: Stores): Promise<readonly ListedApp[]> {
  const [apps, members, paused] = await Promise.all([listApps(stores.db), countAllMembers(stores), readPaused(stores)]);
  return apps.map((app) => ({
    ...app,
    state: paused.has(app.id) ? 'paused' : 'active',
    members: members.get(app.id) ?? 0,
  }));
}

/**
 * Reads everything known about one app; `undefined` for an id that no app ever had.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await readFacts(stores, 'quiz'); // undefined
 * await stores.db.close();
 */
export async function readFacts(stores: Stores, id: string): Promise<AppFacts | undefined> {
  const { db } = stores;
  const record = await findKnownApp(db, id);
  if (record === undefined) return undefined;
  const app = (await listApps(db)).find((one) => one.id === id);
  const { required, optional } = app ? declaredBy(app) : { required: [], optional: [] };
  const isPaused = (await readPaused(stores)).has(id);
  return {
    ...record,
    state: record.removedAtMs !== undefined ? 'removed' : isPaused ? 'paused' : 'active',
    members: await countMembers(stores, id),
    needs: required,
    mayAsk: optional,
    ...((await databaseKind(db)) === 'site' && { use: await readAppUse(db, id) }),
  };
}

async function readPaused({ db }: Stores): Promise<ReadonlySet<string>> {
  const isPaused = (await databaseKind(db)) === 'site' ? isInactive(sql`app_registrations.id`) : sql`paused = 1`;
  const rows = await db.query<{ id: string }>(sql`select id from app_registrations where ${isPaused}`);
  return new Set(rows.map(({ id }) => id));
}

/** Counts the members who allowed an app, have it, or have data saved by it. */
export async function countMembers(stores: Stores, id: string): Promise<number> {
  return (await countAllMembers(stores)).get(id) ?? 0;
}

/** Counts the same for all apps, by id. Apps without members are left out. */
async function countAllMembers({ db }: Stores): Promise<ReadonlyMap<string, number>> {
  const isSite = (await databaseKind(db)) === 'site';
  const members = isSite ? sql`${membersWithGrants} union ${membersOfApps}` : membersWithGrants;
  const rows = await db.query<{ app_id: string; members: number }>(sql`
    select app_id, count(*) as members from (${members}) as concerned group by app_id`);
  return new Map(rows.map((row) => [row.app_id, Number(row.members)]));
}
