import { type Database, type Row, type Statement, StoreError, sql } from '@gantry/store';
import { maxAnswerBytes } from '@gantry/wire';
import { maxAppDataKeys } from '../app-data-fields.ts';
import type { Requester } from '../authorize.ts';
import { isOneOf } from './one-of.ts';
import type { Range } from './page.ts';
import { memberChanged } from './versions.ts';
import { visibleFriends } from './visibility.ts';

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

/** AppData that is too much for one answer is not read at all. */
export type ReadOutcome = readonly AppDataRow[] | 'too large';

/** AppData of the members `ids`, all of it or the given keys. Whether it may be read is decided before. */
export function readAppData(
  db: Database,
  appId: string,
  { ids, keys }: { readonly ids: readonly string[]; readonly keys: readonly string[] | undefined },
): Promise<ReadOutcome> {
  const isOne = sql`${isOneOf(sql`member_id`, ids)} and app_id = ${appId}`;
  if (ids.length <= 1) {
    return db.query<AppDataRow>(sql`
      select member_id, key, value from app_data where ${isOne} ${onlyKeys(keys)} order by key`);
  }
  const holders = sql`select member_id, app_data_bytes, app_data_keys from member_app where ${isOne}`;
  return readHeld(db, { holders, appId, keys });
}

export interface FriendsAppData {
  readonly ids: readonly string[];
  readonly keys: readonly string[] | undefined;
  /** Which of the friends who have any of the keys, in the order of their ids; absent for all. */
  readonly page: Range | undefined;
}

/** AppData of those friends of the members `ids` who have the app and are the viewer or the viewer's friends (contract §6). */
export function readFriendsAppData(
  db: Database,
  { memberId, appId }: Requester & { readonly appId: string },
  { ids, keys, page }: FriendsAppData,
): Promise<ReadOutcome> {
  const ofKeys =
    keys &&
    sql`and exists (select 1 from app_data where member_id = friend.id and app_id = ${appId} ${onlyKeys(keys)})`;
  const part =
    page &&
    sql`
    ${ofKeys ?? sql.empty} order by length(friend.id), friend.id limit ${page.count} offset ${page.startIndex}`;
  const holders = sql`
    select friend.id, app_data_bytes, app_data_keys
    from (${visibleFriends(memberId, ids)}) as friend join member_app on member_id = friend.id
    where app_id = ${appId} and installed = 1 and app_data_keys > 0 and reach >= 1 ${part ?? sql.empty}`;
  return readHeld(db, { holders, appId, keys });
}

interface Held {
  /** Selects members with the bytes and keys that they have in the app. */
  readonly holders: Statement;
  readonly appId: string;
  readonly keys: readonly string[] | undefined;
}

/** Keys in one answer. A row costs memory and time beyond its bytes, and one member can have 35,541 from before the bound. */
const mostKeys = 50_000;
/** Bytes that JSON adds to a key and its value, the least that any format does. */
const bytesAround = 6;

/** Rows of the holders, unless they are more than an answer may have: then none leaves the database. */
async function readHeld(db: Database, { holders, appId, keys }: Held): Promise<ReadOutcome> {
  const table = sql`holder cross join app_data`; // in this order: SQLite would rather read all of the table for a few keys
  const chosen = sql`member_id = holder.id and app_id = ${appId} ${onlyKeys(keys)}`;
  const fitsWhole = sql`(select coalesce(sum(bytes + ${bytesAround} * keys), 0) <= ${maxAnswerBytes}
    and coalesce(sum(keys), 0) <= ${mostKeys} from holder)`;
  // Counted key by key only where all keys together would be too many.
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

export type SaveOutcome = 'saved' | 'too large' | 'app not installed';

/**
 * Saves `values` as one transaction: all of them, or none if the member's AppData would grow beyond its bounds or the app
 * was removed meanwhile. The first statement locks the member's row of that app, so writes in parallel add up correctly.
 */
export async function saveAppData(
  db: Database,
  owner: AppDataOwner,
  values: readonly (readonly [key: string, value: string])[],
): Promise<SaveOutcome> {
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
      measure(owner),
      ...memberChanged(memberId, 'appData', { appId }),
    ]);
    return locked?.length === 1 ? 'saved' : 'app not installed';
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'constraint') return 'too large'; // the checks of member_app
    throw error;
  }
}

/** As many rows as the next power of two: databases keep a statement for each number of rows. */
function padded(values: readonly (readonly [key: string, value: string])[]): readonly (readonly (string | null)[])[] {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...new Array<readonly null[]>(size - values.length).fill([null, null])];
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
    ...measureLess(owner),
    ...memberChanged(memberId, 'appData', { appId }),
  ]);
}

/** Records how much a member has left in an app. One who had more keys than the bound may have no more of them than are left. */
export function measureLess(owner: AppDataOwner): readonly Statement[] {
  return [measure(owner), sql`${lowerBound} and member_id = ${owner.memberId} and app_id = ${owner.appId}`];
}

/** Narrowed to owners by `and`, it takes back what they may have beyond the usual bound and have no more. */
export const lowerBound: Statement = sql`
  update member_app
  set app_data_keys_most = case when app_data_keys > ${maxAppDataKeys} then app_data_keys else ${maxAppDataKeys} end
  where app_data_keys_most > ${maxAppDataKeys}`;

/** Records how much a member has in an app; the table's checks refuse too much. */
function measure({ memberId, appId }: AppDataOwner): Statement {
  return sql`${measureAll} where member_id = ${memberId} and app_id = ${appId}`;
}

/** `measure`, to be narrowed to owners by `where`. */
export const measureAll: Statement = sql`
  update member_app set (app_data_bytes, app_data_keys) = (
    select coalesce(sum(octet_length(key) + octet_length(value)), 0), count(*) from app_data
    where app_data.member_id = member_app.member_id and app_data.app_id = member_app.app_id)`;
