import { type Database, type Statement, sql } from '@gantry/store';
import type { LevelIndex, Requester } from '../auth/authorize.ts';
import { textWithin, titleWithin, urlWithin } from './bounded-text.ts';
import { isOneOf } from './one-of.ts';
import { type Page, type Range, readPage } from './page.ts';
import { isVisible, reachInto, visibleFriends } from './visibility.ts';

export interface AlbumRow {
  readonly id: string;
  readonly member_id: string;
  readonly title: string;
  readonly description: string;
  readonly media_type: string;
  /** Items that the viewer may see. */
  readonly item_count: number;
  /** Picture of the album, else of its first visible item, else `''`. */
  readonly thumbnail_url: string;
}

export interface MediaItemRow {
  readonly id: string;
  readonly album_id: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly created_at_s: number;
  readonly updated_at_s: number;
  readonly file_size: number;
  readonly url: string;
  readonly thumbnail_url: string;
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
const itemColumns = sql`media_item.id, album_id, ${textColumns(sql`media_item`)}, type, created_at_s, updated_at_s, file_size,
  coalesce(${urlWithin(sql`url`)}, '') as url, coalesce(${urlWithin(sql`media_item.thumbnail_url`)}, '') as thumbnail_url`;

/** Reads a page of the albums that the viewer may see. */
export function albumsPage(
  db: Database,
  { memberId }: Requester,
  { ids, of, range }: AlbumsOptions,
): Promise<Page<AlbumRow>> {
  const owners = of === 'friends' ? visibleFriends(memberId, ids) : visibleMembers(memberId, ids);
  return readPage(
    db,
    {
      with: sql`with owner (id, reach) as materialized (${owners})`,
      columns: sql`album.id, album.member_id, ${textColumns(sql`album`)}, media_type,
        (select count(*) from media_item where album_id = album.id and media_item.level <= reach) as item_count,
        case when album.thumbnail_url <> '' then coalesce(${urlWithin(sql`album.thumbnail_url`)}, '') else coalesce(
          (select ${urlWithin(sql`media_item.thumbnail_url`)} from media_item where album_id = album.id and media_item.level <= reach
            order by length(media_item.id), media_item.id limit 1),
          '') end as thumbnail_url`,
      from: sql`owner join album on album.member_id = owner.id where album.level <= reach`,
      order: sql`length(album.id), album.id`,
    },
    range,
  );
}

export interface AlbumFacts {
  readonly member_id: string;
  readonly level: LevelIndex;
}

export async function albumFacts(db: Database, id: string): Promise<AlbumFacts | undefined> {
  const [row] = await db.query<AlbumFacts>(sql`
    select member_id, level from album where id = ${id}`);
  return row;
}

export function mediaItemsPage(
  db: Database,
  { albumId, reach, range }: { readonly albumId: string; readonly reach: number; readonly range: Range },
): Promise<Page<MediaItemRow>> {
  return readPage(
    db,
    {
      columns: itemColumns,
      from: sql`media_item where album_id = ${albumId} and level <= ${reach}`,
      order: sql`length(id), id`,
    },
    range,
  );
}

/** Reads a page of items from all albums of the members, as far as the viewer may see them. */
export function mediaItemsOfMembers(
  db: Database,
  { memberId }: Requester,
  { ids, range }: Pick<AlbumsOptions, 'ids' | 'range'>,
): Promise<Page<MediaItemRow>> {
  return readPage(
    db,
    {
      with: sql`with owner (id, reach) as materialized (${visibleMembers(memberId, ids)})`,
      columns: itemColumns,
      from: sql`owner join album on album.member_id = owner.id join media_item on media_item.album_id = album.id
        where album.level <= reach and media_item.level <= reach`,
      order: sql`length(media_item.id), media_item.id`,
    },
    range,
  );
}

/** Table expression of the visible members among `ids`: `id`, `reach`. */
function visibleMembers(viewer: string, ids: readonly string[]): Statement {
  return sql`
    select id, ${reachInto(viewer, sql`member.id`)} as reach from member
    where ${isOneOf(sql`member.id`, ids)} and ${isVisible(viewer, sql`member.id`)}`;
}

export interface MediaFileRow {
  readonly file: string;
  readonly type: string;
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
export async function mediaFile(db: Database, token: string): Promise<MediaFileRow | undefined> {
  const [row] = await db.query<MediaFileRow>(sql`select file, type from media_file where token = ${token}`);
  return row;
}
