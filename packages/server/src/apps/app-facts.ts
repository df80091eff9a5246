import {
  declaredBy,
  findKnownApp,
  type KnownApp,
  listApps,
  type Manifest,
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
  /** Size of the live version. Absent for a live folder and an app on its own server. */
  readonly bytes?: number;
}

/** Everything known about one app, without secrets. */
export interface AppFacts extends KnownApp {
  readonly state: 'active' | 'paused' | 'removed';
  readonly members: number;
  /** Absent for a removed app. */
  readonly manifest?: Manifest;
  /** Size of the live version, if it is stored. */
  readonly bytes?: number;
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
  const [apps, members, paused, sizes] = await Promise.all([
    listApps(stores.db),
    countAllMembers(stores),
    readPaused(stores),
    readSizes(stores),
  ]);
  return apps.map((app) => {
    const bytes = sizes.get(app.id);
    const state = paused.has(app.id) ? 'paused' : 'active';
    return { ...app, state, members: members.get(app.id) ?? 0, ...(bytes !== undefined && { bytes }) };
  });
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
  const app = (await listRegistered(stores)).find((one) => one.id === id);
  const { required, optional } = app ? declaredBy(app) : { required: [], optional: [] };
  return {
    ...record,
    state: app?.state ?? 'removed',
    members: app?.members ?? (await countMembers(stores, id)),
    ...(app && { manifest: app.manifest }),
    ...(app?.bytes !== undefined && { bytes: app.bytes }),
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

/** Reads the sizes of live versions, by app. */
async function readSizes({ db }: Stores): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ id: string; bytes: number }>(sql`
    select id, bytes from app_registrations join app_versions
      on app_id = id and app_versions.registration = app_registrations.registration and digest = version`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
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
