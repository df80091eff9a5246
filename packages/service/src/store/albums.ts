import { type Database, type Statement, sql } from '@gantry/store';
import type { Album, MediaItem } from '@gantry/wire';
import type { LevelIndex, Requester } from '../auth/authorize.ts';
import { textWithin, titleWithin, urlWithin } from './bounded-text.ts';
import { isOneOf } from './one-of.ts';
import { type Page, type Range, readPage } from './page.ts';
import { isVisible, reachInto, visibleFriends } from './visibility.ts';

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
export function albumsPage(
  db: Database,
  { memberId }: Requester,
  { ids, of, range }: AlbumsOptions,
): Promise<Page<Album>> {
  const owners = of === 'friends' ? visibleFriends(memberId, ids) : visibleMembers(memberId, ids);
  const list = {
    with: sql`with owner (id, reach) as materialized (${owners})`,
    columns: sql`album.id, ${textColumns(sql`album`)},
        (select count(*) from media_item where album_id = album.id and media_item.level <= reach) as "mediaItemCount",
        album.member_id as "ownerId", case when album.thumbnail_url <> '' then coalesce(${urlWithin(sql`album.thumbnail_url`)}, '') else coalesce(
          (select ${urlWithin(sql`media_item.thumbnail_url`)} from media_item where album_id = album.id and media_item.level <= reach
            order by length(media_item.id), media_item.id limit 1),
          '') end as "thumbnailUrl", media_type as "mediaType"`,
    from: sql`owner join album on album.member_id = owner.id where album.level <= reach`,
    order: sql`length(album.id), album.id`,
  };
  return readPage(db, list, range);
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
export function mediaItemsOfMembers(
  db: Database,
  { memberId }: Requester,
  { ids, range }: Pick<AlbumsOptions, 'ids' | 'range'>,
): Promise<Page<MediaItemRow>> {
  const list = {
    with: sql`with owner (id, reach) as materialized (${visibleMembers(memberId, ids)})`,
    columns: itemColumns,
    from: sql`owner join album on album.member_id = owner.id join media_item on media_item.album_id = album.id
        where album.level <= reach and media_item.level <= reach`,
    order: sql`length(media_item.id), media_item.id`,
  };
  return readPage(db, list, range);
}

/** Table expression of the visible members among `ids`: `id`, `reach`. */
function visibleMembers(viewer: string, ids: readonly string[]): Statement {
  return sql`
    select id, ${reachInto(viewer, sql`member.id`)} as reach from member
    where ${isOneOf(sql`member.id`, ids)} and ${isVisible(viewer, sql`member.id`)}`;
}

/**
 * Returns the file of a media token; `undefined` for an unknown token.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * await mediaFile(db, 'unknown'); // undefined
 * await db.close();
 */
export async function mediaFile(
  db: Database,
  token: string,
): Promise<{ readonly file: string; readonly type: string } | undefined> {
  const [row] = await db.query<{ file: string; type: string }>(sql`
    select file, type from media_file where token = ${token}`);
  return row;
}
