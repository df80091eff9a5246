import { type Database, type Statement, sql } from '@gantry/store';
import { levelIndex } from '../auth/authorize.ts';
import { mediaPath } from '../http/media.ts';
import { thumbnailType } from '../images/encode.ts';
import type { StoredImage } from '../images/images.ts';
import { newMediaToken, renewUrl } from '../store/media-files.ts';
import { isOneOf } from '../store/one-of.ts';
import type { ZonedTime } from '../zoned-time.ts';
import { inBatches, lastOfEach, type RowValues } from './batch-rows.ts';
import type { World, WorldRecord } from './schema.ts';

export interface MediaContext {
  readonly world: World;
  readonly images: ReadonlyMap<string, StoredImage>;
  readonly zonedTime: ZonedTime;
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
  /** Level of the album before the import. */
  readonly album_level: number;
  /** Name of the image in the media folder, if it is there. */
  readonly file: string | null;
}

const selectItems = sql`
  select media_item.id, album_id, media_item.level, media_item.url, media_item.thumbnail_url, created_at_s, updated_at_s,
    album.level as album_level, (select file from media_file where item_id = media_item.id and media_item.url = ${mediaPath} || token) as file
  from media_item join album on album.id = album_id`;

/** Stores the media items of a world. An item of unchanged visibility and image keeps its URLs. */
export async function itemStatements(db: Database, context: MediaContext): Promise<readonly Statement[]> {
  const { mediaItems, albums } = context.world;
  const albumLevels = new Map(albums.map((album) => [album.id, levelIndex(album.visibility)]));
  const items = lastOfEach(mediaItems, ({ id }) => id);
  const storedItems = await storedById(
    db,
    items.map(({ id }) => id),
  );
  const forgotten: string[] = [];
  const rows: RowValues[] = [];
  const files: RowValues[] = [];
  for (const item of items) {
    const stored = storedItems.get(item.id);
    const image = context.images.get(item.id);
    const keepsUrls =
      stored !== undefined &&
      image?.file === stored.file &&
      stored.album_id === item.albumId &&
      stored.level === levelIndex(item.visibility) &&
      stored.album_level === (albumLevels.get(item.albumId) ?? stored.album_level);
    const given = { url: item.url, thumbnailUrl: item.thumbnailUrl };
    if (image === undefined) {
      if (stored) forgotten.push(item.id);
      rows.push(itemRow(item, { ...given, stored, image, context }));
    } else if (keepsUrls) {
      const urls = { url: stored.url, thumbnailUrl: stored.thumbnail_url };
      rows.push(itemRow(item, { ...urls, stored, image, context }));
    } else {
      const { url, thumbnailUrl, files: fresh } = freshUrls(item.id, image, context);
      if (stored) forgotten.push(item.id);
      rows.push(itemRow(item, { url, thumbnailUrl, stored, image, context }));
      files.push(...fresh);
    }
  }
  return [
    ...slices(forgotten).map((ids) => sql`delete from media_file where ${isOneOf(sql`item_id`, ids)}`),
    ...inBatches(rows, upsertItems),
    ...inBatches(files, (values) => sql`insert into media_file (token, item_id, file, type) values ${values}`),
  ];
}

async function storedById(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, ItemRow>> {
  const stored = new Map<string, ItemRow>();
  for (const some of slices(ids)) {
    const rows = await db.query<ItemRow>(sql`${selectItems} where ${isOneOf(sql`media_item.id`, some)}`);
    for (const row of rows) stored.set(row.id, row);
  }
  return stored;
}

/** Renews URLs of other items in albums whose visibility the world changes (contract §3). */
export async function renewedUrls(db: Database, { world, random }: MediaContext): Promise<readonly Statement[]> {
  const listed = new Set(world.mediaItems.map((item) => item.id));
  const levels = new Map(world.albums.map((album) => [album.id, levelIndex(album.visibility)]));
  const statements: Statement[] = [];
  for (const ids of slices([...levels.keys()])) {
    const rows = await db.query<{ token: string; item_id: string; album_id: string; level: number }>(sql`
      select token, item_id, album_id, album.level from album join media_item on album_id = album.id
        join media_file on item_id = media_item.id
      where ${isOneOf(sql`album.id`, ids)}`);
    const outdated = rows.filter((row) => row.level !== levels.get(row.album_id) && !listed.has(row.item_id));
    statements.push(...outdated.flatMap((row) => renewUrl(row, random)));
  }
  return statements;
}

function slices(ids: readonly string[]): readonly (readonly string[])[] {
  const size = 500;
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

interface Urls {
  readonly url: string;
  readonly thumbnailUrl: string;
}

function freshUrls(
  itemId: string,
  image: StoredImage,
  { random }: MediaContext,
): Urls & { readonly files: readonly RowValues[] } {
  const [original, thumbnail] = [newMediaToken(random), newMediaToken(random)];
  const file = (token: string, name: string, type: string) => [token, itemId, name, type];
  return {
    url: mediaPath + original,
    thumbnailUrl: mediaPath + thumbnail,
    files: [file(original, image.file, image.type), file(thumbnail, image.thumbnailFile, thumbnailType)],
  };
}

interface StoredItem extends Urls {
  readonly stored: ItemRow | undefined;
  readonly image: StoredImage | undefined;
  readonly context: MediaContext;
}

function itemRow(
  item: WorldRecord<'mediaItems'>,
  { url, thumbnailUrl, stored, image, context }: StoredItem,
): RowValues {
  const atMs = (time: string) => (time.includes('T') ? Date.parse(time) : context.zonedTime.instant(time));
  const seconds = (time: string | undefined) => (time === undefined ? undefined : Math.floor(atMs(time) / 1000));
  const created = seconds(item.created) ?? stored?.created_at_s ?? Math.floor(context.nowMs / 1000);
  const updated = seconds(item.lastUpdated) ?? stored?.updated_at_s ?? created;
  const size = image?.size ?? Number(item.fileSize);
  const level = levelIndex(item.visibility);
  return [
    item.id,
    item.albumId,
    item.title,
    item.description,
    item.type,
    created,
    updated,
    size,
    url,
    thumbnailUrl,
    level,
  ];
}

function upsertItems(values: Statement): Statement {
  return sql`
    insert into media_item (id, album_id, title, description, type, created_at_s, updated_at_s, file_size, url,
      thumbnail_url, level)
    values ${values}
    on conflict (id) do update set album_id = excluded.album_id, title = excluded.title,
      description = excluded.description, type = excluded.type, created_at_s = excluded.created_at_s,
      updated_at_s = excluded.updated_at_s, file_size = excluded.file_size, url = excluded.url,
      thumbnail_url = excluded.thumbnail_url, level = excluded.level`;
}
