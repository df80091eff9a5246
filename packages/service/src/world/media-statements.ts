import { type Database, type Statement, sql } from '@gantry/store';
import { levelIndex } from '../authorize.ts';
import { mediaPath } from '../media.ts';
import type { SiteTime } from '../site-time.ts';
import type { World, WorldRecord } from './schema.ts';
import { type StoredImage, thumbnailType } from './store-image.ts';

export interface MediaContext {
  readonly world: World;
  /** Images in the media folder, by media item. */
  readonly images: ReadonlyMap<string, StoredImage>;
  readonly siteTime: SiteTime;
  readonly nowMs: number;
  readonly random: (bytes: number) => Uint8Array;
}

interface ItemRow {
  readonly id: string;
  readonly album_id: string;
  readonly level: number;
  readonly url: string;
  readonly thumbnail_url: string;
  readonly created_at_s: number;
  readonly updated_at_s: number;
  /** Of the album, before the import. */
  readonly album_level: number;
  /** Name of the image in the media folder, if it has one there. */
  readonly file: string | null;
}

const itemRow = sql`
  select media_item.id, album_id, media_item.level, media_item.url, media_item.thumbnail_url, created_at_s, updated_at_s,
    album.level as album_level, (select file from media_file where media_item.url = ${mediaPath} || token) as file
  from media_item join album on album.id = album_id`;

/** Stores the media items of a world. An item that is as visible as before, with the same image, keeps its URLs. */
export async function itemStatements(db: Database, context: MediaContext): Promise<readonly Statement[]> {
  const albumLevels = new Map(context.world.albums.map((album) => [album.id, levelIndex(album.visibility)]));
  const statements: Statement[] = [];
  for (const item of context.world.mediaItems) {
    const [stored] = await db.query<ItemRow>(sql`${itemRow} where media_item.id = ${item.id}`);
    const image = context.images.get(item.id);
    const keepsUrls =
      stored !== undefined &&
      image?.file === stored.file &&
      stored.album_id === item.albumId &&
      stored.level === levelIndex(item.visibility) &&
      stored.album_level === (albumLevels.get(item.albumId) ?? stored.album_level);
    const given = { url: item.url, thumbnailUrl: item.thumbnailUrl };
    if (image === undefined) {
      statements.push(forgetFiles(item.id), itemStatement(item, { ...given, stored, image, context }));
    } else if (keepsUrls) {
      const urls = { url: stored.url, thumbnailUrl: stored.thumbnail_url };
      statements.push(itemStatement(item, { ...urls, stored, image, context }));
    } else {
      const { url, thumbnailUrl, files } = freshUrls(item.id, image, context);
      statements.push(
        forgetFiles(item.id),
        itemStatement(item, { url, thumbnailUrl, stored, image, context }),
        ...files,
      );
    }
  }
  return statements;
}

/** New URLs for items that are not in the world, of albums whose visibility it changes (contract §3). */
export async function outdatedUrls(db: Database, { world, random }: MediaContext): Promise<readonly Statement[]> {
  const listed = new Set(world.mediaItems.map((item) => item.id));
  const statements: Statement[] = [];
  for (const album of world.albums) {
    const rows = await db.query<{ token: string; item_id: string }>(sql`
      select token, item_id from media_file join media_item on media_item.id = item_id join album on album.id = album_id
      where album_id = ${album.id} and album.level <> ${levelIndex(album.visibility)}`);
    for (const { token, item_id } of rows.filter((row) => !listed.has(row.item_id))) {
      const [before, after] = [token, newToken(random)];
      statements.push(
        sql`update media_file set token = ${after} where token = ${before}`,
        sql`update media_item set url = ${mediaPath + after} where id = ${item_id} and url = ${mediaPath + before}`,
        sql`
          update media_item set thumbnail_url = ${mediaPath + after}
          where id = ${item_id} and thumbnail_url = ${mediaPath + before}`,
      );
    }
  }
  return statements;
}

function newToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(16)).toString('base64url');
}

interface Urls {
  readonly url: string;
  readonly thumbnailUrl: string;
}

function freshUrls(
  itemId: string,
  image: StoredImage,
  { random }: MediaContext,
): Urls & { readonly files: Statement[] } {
  const [original, thumbnail] = [newToken(random), newToken(random)];
  const file = (token: string, name: string, type: string) => sql`
    insert into media_file (token, item_id, file, type) values (${token}, ${itemId}, ${name}, ${type})`;
  return {
    url: mediaPath + original,
    thumbnailUrl: mediaPath + thumbnail,
    files: [file(original, image.file, image.type), file(thumbnail, image.thumbnailFile, thumbnailType)],
  };
}

function forgetFiles(itemId: string): Statement {
  return sql`delete from media_file where item_id = ${itemId}`;
}

interface StoredItem extends Urls {
  readonly stored: ItemRow | undefined;
  readonly image: StoredImage | undefined;
  readonly context: MediaContext;
}

function itemStatement(
  item: WorldRecord<'mediaItems'>,
  { url, thumbnailUrl, stored, image, context }: StoredItem,
): Statement {
  const seconds = (plain: string | undefined) =>
    plain === undefined ? undefined : Math.floor(context.siteTime.instant(plain) / 1000);
  const created = seconds(item.created) ?? stored?.created_at_s ?? Math.floor(context.nowMs / 1000);
  const updated = seconds(item.lastUpdated) ?? stored?.updated_at_s ?? created;
  return sql`
    insert into media_item (id, album_id, title, description, type, created_at_s, updated_at_s, file_size, url,
      thumbnail_url, level)
    values (${item.id}, ${item.albumId}, ${item.title}, ${item.description}, ${item.type}, ${created}, ${updated},
      ${image?.size ?? Number(item.fileSize)}, ${url}, ${thumbnailUrl}, ${levelIndex(item.visibility)})
    on conflict (id) do update set album_id = excluded.album_id, title = excluded.title,
      description = excluded.description, type = excluded.type, created_at_s = excluded.created_at_s,
      updated_at_s = excluded.updated_at_s, file_size = excluded.file_size, url = excluded.url,
      thumbnail_url = excluded.thumbnail_url, level = excluded.level`;
}
