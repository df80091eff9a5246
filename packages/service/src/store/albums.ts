import { type Database, type Statement, sql } from '@gantry/store';
import { type Album, compareIds, type MediaItem } from '@gantry/wire';
import type { LevelIndex, Requester } from '../authorize.ts';
import { textWithin, titleWithin, urlWithin } from './bounded-text.ts';
import { isOneOf } from './one-of.ts';
import { type Page, type Range, readPage } from './page.ts';
import { friendsOfSeveral, keysOfSeveral } from './several-members.ts';
import { visibleFriends, visibleMembers, visibleMembersIn } from './visibility.ts';

/** Item with its URLs as stored, and its times in seconds since the epoch. */
export interface MediaItemRow extends Omit<MediaItem, 'created' | 'lastUpdated' | 'fileSize'> {
  readonly created: number;
  readonly lastUpdated: number;
  readonly fileSize: number;
}

export interface AlbumsOptions {
  readonly ids: readonly string[];
  /** Selects the members' own albums, or those of their friends. */
  readonly of: 'members' | 'friends';
  readonly range: Range;
}

function textColumns(table: Statement): Statement {
  return sql`${titleWithin(sql`${table}.title`)} as title,
    ${textWithin(sql`${table}.description`)} as description`;
}

/** Columns of `MediaItemRow`. */
const itemColumns = sql`media_item.id, album_id as "albumId", ${textColumns(sql`media_item`)}, created_at_s as created,
  updated_at_s as "lastUpdated", file_size as "fileSize",
  coalesce(${urlWithin(sql`media_item.thumbnail_url`)}, '') as "thumbnailUrl", type, coalesce(${urlWithin(sql`url`)}, '') as url`;

/** Reads a page of the albums that the viewer may see, with addresses as stored. */
export async function albumsPage(
  db: Database,
  { memberId }: Requester,
  { ids, of, range }: AlbumsOptions,
): Promise<Page<Album>> {
  if (ids.length > 1) return albumsOfSeveral(db, memberId, { ids, of, range });
  const owners = of === 'friends' ? visibleFriends(memberId, ids) : visibleMembers(memberId, ids);
  return readPage(db, albumList(owners), range);
}

async function albumsOfSeveral(db: Database, viewer: string, { ids, of, range }: AlbumsOptions): Promise<Page<Album>> {
  const members = of === 'friends' ? await friendsOfSeveral(db, viewer, ids) : ids;
  const keys = await keysOfSeveral(db, members, (some) => ({
    with: withOwners(visibleMembers(viewer, some)),
    key: sql`album.id`,
    from: sql`owner join album on album.member_id = owner.id where true`,
    seen: sql`album.level <= reach`,
  }));
  const page = pageOfKeys(keys, range);
  if (page.length === 0) return { rows: [], total: keys.length };
  const owners = visibleMembersIn(viewer, sql`select member_id from album where ${isOneOf(sql`album.id`, page)}`);
  const { with: tables, columns, from, order } = albumList(owners);
  const rows = await db.query<Album>(sql`
    ${tables} select ${columns} from ${from} and ${isOneOf(sql`album.id`, page)} order by ${order}`);
  return { rows, total: keys.length };
}

function withOwners(owners: Statement): Statement {
  return sql`with owner (id, reach) as materialized (${owners})`;
}

/** Returns the list of the albums of some owners. @param owners Table expression: `id`, `reach`. */
function albumList(owners: Statement) {
  return {
    with: withOwners(owners),
    columns: sql`album.id, ${textColumns(sql`album`)},
        (select count(*) from media_item where album_id = album.id and media_item.level <= reach) as "mediaItemCount",
        album.member_id as "ownerId", case when album.thumbnail_url <> '' then coalesce(${urlWithin(sql`album.thumbnail_url`)}, '') else coalesce(
          (select ${urlWithin(sql`media_item.thumbnail_url`)} from media_item where album_id = album.id and media_item.level <= reach
            order by length(media_item.id), media_item.id limit 1),
          '') end as "thumbnailUrl", media_type as "mediaType"`,
    from: sql`owner join album on album.member_id = owner.id where album.level <= reach`,
    order: sql`length(album.id), album.id`,
  };
}

/** Returns the keys of one page, in the order of ids. */
function pageOfKeys(keys: readonly string[], { startIndex, count }: Range): readonly string[] {
  return keys.toSorted(compareIds).slice(startIndex, startIndex + count);
}

export async function albumFacts(db: Database, id: string) {
  const [row] = await db.query<{ readonly member_id: string; readonly level: LevelIndex }>(sql`
    select member_id, level from album where id = ${id}`);
  return row;
}

export function mediaItemsPage(
  db: Database,
  { albumId, reach, range }: { readonly albumId: string; readonly reach: number; readonly range: Range },
): Promise<Page<MediaItemRow>> {
  const from = sql`media_item where album_id = ${albumId} and level <= ${reach}`;
  return readPage(db, { columns: itemColumns, from, order: sql`length(id), id` }, range);
}

/** Reads a page of items from all albums of the members, as far as the viewer may see them. */
export async function mediaItemsOfMembers(
  db: Database,
  { memberId }: Requester,
  { ids, range }: Pick<AlbumsOptions, 'ids' | 'range'>,
): Promise<Page<MediaItemRow>> {
  const from = sql`owner join album on album.member_id = owner.id join media_item on media_item.album_id = album.id
    where album.level <= reach`;
  const seen = sql`media_item.level <= reach`;
  const order = sql`length(media_item.id), media_item.id`;
  if (ids.length <= 1) {
    const tables = withOwners(visibleMembers(memberId, ids));
    return readPage(db, { with: tables, columns: itemColumns, from: sql`${from} and ${seen}`, order }, range);
  }
  const keys = await keysOfSeveral(db, ids, (some) => ({
    with: withOwners(visibleMembers(memberId, some)),
    key: sql`media_item.id`,
    from,
    seen,
  }));
  const page = pageOfKeys(keys, range);
  const rows = await db.query<MediaItemRow>(sql`
    select ${itemColumns} from media_item where ${isOneOf(sql`media_item.id`, page)} order by ${order}`);
  return { rows, total: keys.length };
}

/** Returns the file of a media token; `undefined` for an unknown token. */
export async function mediaFile(
  db: Database,
  token: string,
): Promise<{ readonly file: string; readonly type: string } | undefined> {
  const [row] = await db.query<{ file: string; type: string }>(sql`
    select file, type from media_file where token = ${token}`);
  return row;
}
