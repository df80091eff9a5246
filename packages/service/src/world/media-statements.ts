import { type Database, type Statement, sql } from '@gantry/store';
import { levelIndex } from '../authorize.ts';
import { thumbnailType } from '../images/encode.ts';
import type { StoredImage } from '../images/images.ts';
import { mediaPath } from '../paths.ts';
import { chunks } from '../store/chunks.ts';
import { fileOfItem, newMediaToken, renewUrl } from '../store/media-files.ts';
import { isOneOf } from '../store/one-of.ts';
import type { ZonedTime } from '../zoned-time.ts';
import { type IdentifiedRow, inBatches, lastOfEach, type RowValues, upserts } from './batch-rows.ts';
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
    album.level as album_level, ${fileOfItem}
  from media_item join album on album.id = album_id`;

/** Stores the media items of a world. An item of unchanged visibility and image keeps its URLs. */
export async function itemStatements(db: Database, context: MediaContext): Promise<readonly Statement[]> {
  const { world, images, random } = context;
  const albumLevels = levelsOf(world);
  const items = lastOfEach(world.mediaItems, ({ id }) => id);
  const storedItems = await storedById(
    db,
    items.map(({ id }) => id),
  );
  const forgotten: string[] = [];
  const files: RowValues[] = [];

  function urlsOf(item: Item, stored: ItemRow | undefined): Pick<ItemRow, 'url' | 'thumbnail_url'> {
    const image = images.get(item.id);
    const keepsUrls =
      image !== undefined &&
      image.file === stored?.file &&
      stored.album_id === item.albumId &&
      stored.level === levelIndex(item.visibility) &&
      stored.album_level === (albumLevels.get(item.albumId) ?? stored.album_level);
    if (keepsUrls) return stored;
    if (stored) forgotten.push(item.id);
    if (image === undefined) return { url: item.url, thumbnail_url: item.thumbnailUrl };
    const [original, thumbnail] = [newMediaToken(random), newMediaToken(random)];
    files.push([original, item.id, image.file, image.type], [thumbnail, item.id, image.thumbnailFile, thumbnailType]);
    return { url: mediaPath + original, thumbnail_url: mediaPath + thumbnail };
  }

  const rows = items.map((item) => {
    const stored = storedItems.get(item.id);
    return itemRow(item, { stored, urls: urlsOf(item, stored), context });
  });
  return [
    ...chunks(forgotten).map((ids) => sql`delete from media_file where ${isOneOf(sql`item_id`, ids)}`),
    ...upserts(sql`media_item`, rows),
    ...inBatches(files, (values) => sql`insert into media_file (token, item_id, file, type) values ${values}`),
  ];
}

type Item = WorldRecord<'mediaItems'>;

function levelsOf({ albums }: World): ReadonlyMap<string, number> {
  return new Map(albums.map(({ id, visibility }) => [id, levelIndex(visibility)]));
}

async function storedById(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, ItemRow>> {
  const stored = new Map<string, ItemRow>();
  for (const some of chunks(ids)) {
    const rows = await db.query<ItemRow>(sql`${selectItems} where ${isOneOf(sql`media_item.id`, some)}`);
    for (const row of rows) stored.set(row.id, row);
  }
  return stored;
}

/** Renews URLs of other items in albums whose visibility the world changes (contract §3). */
export async function renewedUrls(db: Database, { world, random }: MediaContext): Promise<readonly Statement[]> {
  const listed = new Set(world.mediaItems.map((item) => item.id));
  const levels = levelsOf(world);
  const statements: Statement[] = [];
  for (const ids of chunks([...levels.keys()])) {
    const rows = await db.query<{ token: string; item_id: string; album_id: string; level: number }>(sql`
      select token, item_id, album_id, album.level from album join media_item on album_id = album.id
        join media_file on item_id = media_item.id
      where ${isOneOf(sql`album.id`, ids)}`);
    const outdated = rows.filter((row) => row.level !== levels.get(row.album_id) && !listed.has(row.item_id));
    statements.push(...outdated.flatMap((row) => renewUrl(row, random)));
  }
  return statements;
}

interface StoredItem {
  readonly stored: ItemRow | undefined;
  readonly urls: Pick<ItemRow, 'url' | 'thumbnail_url'>;
  readonly context: MediaContext;
}

function itemRow(item: Item, { stored, urls, context }: StoredItem): IdentifiedRow {
  const atMs = (time: string) => (time.includes('T') ? Date.parse(time) : context.zonedTime.instant(time));
  const seconds = (time: string | undefined) => (time === undefined ? undefined : Math.floor(atMs(time) / 1000));
  const created = seconds(item.created) ?? stored?.created_at_s ?? Math.floor(context.nowMs / 1000);
  return {
    id: item.id,
    album_id: item.albumId,
    title: item.title,
    description: item.description,
    type: item.type,
    created_at_s: created,
    updated_at_s: seconds(item.lastUpdated) ?? stored?.updated_at_s ?? created,
    file_size: context.images.get(item.id)?.size ?? Number(item.fileSize),
    url: urls.url,
    thumbnail_url: urls.thumbnail_url,
    level: levelIndex(item.visibility),
  };
}
