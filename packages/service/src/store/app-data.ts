import { type Database, type Row, type Statement, StoreError, sql } from '@gantry/store';
import type { Requester } from '../authorize.ts';
import { isOneOf } from './one-of.ts';
import { memberChanged } from './versions.ts';
import { hasApp, visibleFriends } from './visibility.ts';

/** Whose AppData it is: it is held per member and app. */
export interface AppDataOwner {
  readonly memberId: string;
  readonly appId: string;
}

/** One key of one member. */
export interface AppDataRow {
  readonly member_id: string;
  readonly key: string;
  readonly value: string;
}

/** AppData of the members `ids`, all of it or the given keys. Whether it may be read is decided before. */
export function readAppData(
  db: Database,
  appId: string,
  { ids, keys }: { readonly ids: readonly string[]; readonly keys: readonly string[] | undefined },
): Promise<readonly AppDataRow[]> {
  return db.query<AppDataRow>(sql`
    select member_id, key, value from app_data
    where ${isOneOf(sql`member_id`, ids)} and app_id = ${appId} ${onlyKeys(keys)} order by key`);
}

/** AppData of those friends of the members `ids` who have the app and are the viewer or the viewer's friends (contract §6). */
export function readFriendsAppData(
  db: Database,
  { memberId, appId }: Requester & { readonly appId: string },
  { ids, keys }: { readonly ids: readonly string[]; readonly keys: readonly string[] | undefined },
): Promise<readonly AppDataRow[]> {
  return db.query<AppDataRow>(sql`
    with friend (id, reach) as materialized (${visibleFriends(memberId, ids)})
    select member_id, key, value from friend join app_data on member_id = friend.id
    where app_id = ${appId} and reach >= 1 and ${hasApp(appId, sql`friend.id`)} = 1 ${onlyKeys(keys)}
    order by length(member_id), member_id, key`);
}

function onlyKeys(keys: readonly string[] | undefined): Statement {
  return keys === undefined ? sql.empty : sql`and ${isOneOf(sql`key`, keys)}`;
}

export type SaveOutcome = 'saved' | 'too large' | 'app not installed';

/**
 * Saves `values` as one transaction: all of them, or none if the member's AppData would grow beyond its limit or the app
 * was removed meanwhile. The first statement locks the member's row of that app, so writes in parallel add up correctly.
 */
export async function saveAppData(
  db: Database,
  { memberId, appId }: AppDataOwner,
  values: readonly (readonly [key: string, value: string])[],
): Promise<SaveOutcome> {
  const row = sql`member_app where member_id = ${memberId} and app_id = ${appId} and installed = 1`;
  const writes = values.map(
    ([key, value]) => sql`
      insert into app_data (member_id, app_id, key, value) select ${memberId}, ${appId}, ${key}, ${value} from ${row}
      on conflict (member_id, app_id, key) do update set value = excluded.value`,
  );
  try {
    const [locked] = await db.batch([
      sql`
        update member_app set installed = 1 where member_id = ${memberId} and app_id = ${appId} and installed = 1
        returning installed`,
      ...writes,
      countBytes({ memberId, appId }),
      ...memberChanged(memberId, 'appData', { appId }),
    ]);
    return locked?.length === 1 ? 'saved' : 'app not installed';
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'constraint') return 'too large'; // the check of app_data_bytes
    throw error;
  }
}

/** Deletes the given keys, or all of them. */
export function deleteAppData(
  db: Database,
  owner: AppDataOwner,
  keys: readonly string[] | undefined,
): Promise<readonly (readonly Row[])[]> {
  const { memberId, appId } = owner;
  return db.batch([
    sql`delete from app_data where member_id = ${memberId} and app_id = ${appId} ${onlyKeys(keys)}`,
    countBytes(owner),
    ...memberChanged(memberId, 'appData', { appId }),
  ]);
}

/** Records how large a member's AppData is; the table's check refuses too much. */
export function countBytes({ memberId, appId }: AppDataOwner): Statement {
  return sql`
    update member_app set app_data_bytes = (
      select coalesce(sum(octet_length(key) + octet_length(value)), 0) from app_data
      where member_id = ${memberId} and app_id = ${appId}
    ) where member_id = ${memberId} and app_id = ${appId}`;
}
