import { type Database, type Row, type Statement, StoreError, sql } from '@gantry/store';
import { maxAnswerBytes, maxRowsOfSeveral } from '@gantry/wire';
import type { Requester } from '../authorize.ts';
import { maxAppDataKeys } from '../fields/app-data.ts';
import { isOneOf } from './one-of.ts';
import type { Range } from './page.ts';
import { friendsOfSeveral } from './several-members.ts';
import { memberChanged } from './versions.ts';
import { visibleFriends } from './visibility.ts';

/** A member and an app that they may have, with AppData. */
export interface MemberApp {
  readonly memberId: string;
  readonly appId: string;
}

export interface AppDataRow {
  readonly member_id: string;
  readonly key: string;
  readonly value: string;
}

/** Rows, unless they exceed the size of an answer; then none is read. */
export type ReadOutcome = readonly AppDataRow[] | 'too large';

/** Reads AppData of the members `ids`, all keys or the given ones. The caller authorizes it. */
export function readAppData(db: Database, appId: string, { ids, keys }: MembersAppData): Promise<ReadOutcome> {
  const isOne = sql`${isOneOf(sql`member_id`, ids)} and app_id = ${appId}`;
  if (ids.length <= 1) {
    return db.query<AppDataRow>(sql`
      select member_id, key, value from app_data where ${isOne} ${onlyKeys(keys)} order by key`);
  }
  const holders = sql`select member_id, app_data_bytes, app_data_keys from member_app where ${isOne}`;
  return readHolders(db, { holders, appId, keys, mostKeys: maxRowsOfSeveral });
}

interface MembersAppData {
  readonly ids: readonly string[];
  /** Absent for all keys. */
  readonly keys: readonly string[] | undefined;
}

/**
 * Reads AppData of friends who have the app and are the viewer or their friend (contract §6).
 *
 * @param options.page Page of the friends who have any of the keys, by id; absent for all.
 */
export async function readFriendsAppData(
  db: Database,
  { memberId, appId }: Requester & { readonly appId: string },
  { ids, keys, page }: MembersAppData & { readonly page: Range | undefined },
): Promise<ReadOutcome> {
  if (ids.length > 1) await friendsOfSeveral(db, memberId, ids); // throws for too many friends
  const ofKeys =
    keys &&
    sql`and exists (select 1 from app_data where member_id = friend.id and app_id = ${appId} ${onlyKeys(keys)})`;
  const part =
    page &&
    sql`${ofKeys ?? sql.empty} order by length(friend.id), friend.id limit ${page.count} offset ${page.startIndex}`;
  const holders = sql`
    select friend.id, app_data_bytes, app_data_keys
    from (${visibleFriends(memberId, ids)}) as friend join member_app on member_id = friend.id
    where app_id = ${appId} and installed = 1 and app_data_keys > 0 and reach >= 1 ${part ?? sql.empty}`;
  return readHolders(db, { holders, appId, keys, mostKeys: ids.length > 1 ? maxRowsOfSeveral : mostKeysOfFriends });
}

interface HolderQuery {
  /** Selects members with their bytes and keys in the app. */
  readonly holders: Statement;
  readonly appId: string;
  readonly keys: readonly string[] | undefined;
  readonly mostKeys: number;
}

/** Most keys of one member's friends: one friend may have 35,541 from before the bound. */
const mostKeysOfFriends = 50_000;
/** Bytes that JSON, the shortest format, adds to each key and value. */
const bytesAround = 6;

/** Reads the holders' rows, or none if together they exceed an answer. */
async function readHolders(db: Database, { holders, appId, keys, mostKeys }: HolderQuery): Promise<ReadOutcome> {
  const table = sql`holder cross join app_data`; // fixes the order: SQLite would scan app_data for a few keys
  const chosen = sql`member_id = holder.id and app_id = ${appId} ${onlyKeys(keys)}`;
  const fitsWhole = sql`(select coalesce(sum(bytes + ${bytesAround} * keys), 0) <= ${maxAnswerBytes}
    and coalesce(sum(keys), 0) <= ${mostKeys} from holder)`;
  // Sums the requested keys only if all keys together would be too large.
  const fits =
    keys === undefined
      ? fitsWhole
      : sql`(${fitsWhole} or (select coalesce(sum(octet_length(key) + octet_length(value) + ${bytesAround}), 0)
          <= ${maxAnswerBytes} and count(*) <= ${mostKeys} from ${table} where ${chosen}))`;
  const named = sql`with holder (id, bytes, keys) as materialized (${holders})`;
  const rows = await db.query<AppDataRow>(sql`
    ${named} select member_id, key, value from ${table} where ${fits} and ${chosen}
    order by length(member_id), member_id, key`);
  if (rows.length > 0) return rows;
  const [answer] = await db.query<{ fits: number }>(sql`${named} select case when ${fits} then 1 else 0 end as fits`);
  return answer?.fits === 0 ? 'too large' : rows;
}

function onlyKeys(keys: readonly string[] | undefined): Statement {
  return keys === undefined ? sql.empty : sql`and ${isOneOf(sql`key`, keys)}`;
}

/**
 * Saves `values` in one transaction: all of them, or none if the member's AppData would exceed its
 * bounds or the app was removed meanwhile. The first statement locks the member's row for the app,
 * so parallel writes add up correctly.
 */
export async function saveAppData(
  db: Database,
  owner: MemberApp,
  values: readonly (readonly [key: string, value: string])[],
): Promise<'saved' | 'too large' | 'app not installed'> {
  const { memberId, appId } = owner;
  try {
    const [locked] = await db.batch([
      sql`
        update member_app set installed = 1 where member_id = ${memberId} and app_id = ${appId} and installed = 1
        returning installed`,
      sql`
        with given (key, value) as (values ${sql.rows(padded(values))})
        insert into app_data (member_id, app_id, key, value)
        select ${memberId}, ${appId}, given.key, given.value from given, member_app
        where given.key is not null and member_app.member_id = ${memberId} and member_app.app_id = ${appId} and installed = 1
        on conflict (member_id, app_id, key) do update set value = excluded.value`,
      recount(owner),
      ...memberChanged(memberId, 'appData', { appId }),
    ]);
    return locked?.length === 1 ? 'saved' : 'app not installed';
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'constraint') return 'too large'; // a check of member_app failed
    throw error;
  }
}

/** Pads rows to the next power of two: databases cache one statement per number of rows. */
function padded(values: readonly (readonly [key: string, value: string])[]): readonly (readonly (string | null)[])[] {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...new Array<readonly null[]>(size - values.length).fill([null, null])];
}

export function deleteAppData(
  db: Database,
  owner: MemberApp,
  keys: readonly string[] | undefined,
): Promise<readonly (readonly Row[])[]> {
  const { memberId, appId } = owner;
  return db.batch([
    sql`delete from app_data where member_id = ${memberId} and app_id = ${appId} ${onlyKeys(keys)}`,
    ...recountAfterDelete(owner),
    ...memberChanged(memberId, 'appData', { appId }),
  ]);
}

/** Records a member's usage after a delete, and lowers a limit above the bound to the keys left. */
export function recountAfterDelete(owner: MemberApp): readonly Statement[] {
  return [recount(owner), sql`${lowerKeyLimit} and member_id = ${owner.memberId} and app_id = ${owner.appId}`];
}

/** Lowers key limits above the bound to the keys left. Append conditions with `and`. */
export const lowerKeyLimit: Statement = sql`
  update member_app
  set app_data_keys_most = case when app_data_keys > ${maxAppDataKeys} then app_data_keys else ${maxAppDataKeys} end
  where app_data_keys_most > ${maxAppDataKeys}`;

/** Records a member's usage in an app; the table's checks refuse too much. */
function recount({ memberId, appId }: MemberApp): Statement {
  return sql`${recountAll} where member_id = ${memberId} and app_id = ${appId}`;
}

/** Records the usage of several owners. Append `where`. */
export const recountAll: Statement = sql`
  update member_app set (app_data_bytes, app_data_keys) = (
    select coalesce(sum(octet_length(key) + octet_length(value)), 0), count(*) from app_data
    where app_data.member_id = member_app.member_id and app_data.app_id = member_app.app_id)`;
