import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Database, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Images, StoredImage } from '../images/images.ts';
import { isOneOf } from '../store/one-of.ts';
import type { World } from './schema.ts';

const imagesAtOnce = 4;
const maxBytes = 256 * 2 ** 20; // the limit of pixels comes first

/** Fault of an item's image file. */
export interface BadImage {
  readonly index: number;
  readonly problem: string;
}

/** Stores the images, by media item. If the import fails, nothing refers to their files. */
export async function storeImages(
  images: Images,
  { mediaItems, folder }: { readonly mediaItems: World['mediaItems']; readonly folder: string | undefined },
  onStored: (count: number) => void = () => {},
): Promise<ReadonlyMap<string, StoredImage> | BadImage> {
  const found = new Map<string, StoredImage>();
  for (let start = 0; start < mediaItems.length; start += imagesAtOnce) {
    const some = mediaItems.slice(start, start + imagesAtOnce);
    const stored = await Promise.all(
      some.map(({ file }) =>
        file === undefined || folder === undefined ? undefined : storeFile(images, resolve(folder, file)),
      ),
    );
    for (const [index, { id, file }] of some.entries()) {
      const image = stored[index];
      if (typeof image === 'string') return { index: start + index, problem: image };
      if (file !== undefined && image === undefined) return { index: start + index, problem: notBeside };
      if (image) found.set(id, image);
    }
    onStored(start + some.length);
  }
  return found;
}

const notBeside = 'must be a JPEG, PNG, WebP or GIF image beside the world file';

/** @returns The fault of a file that cannot be shown. */
async function storeFile(images: Images, path: string): Promise<StoredImage | string> {
  try {
    const use = async (image: StoredImage) => image;
    return await images.store(bytesOf(path), { maxBytes, use });
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    if (error.code === 'BAD_REQUEST' || error.code === 'UNSUPPORTED_MEDIA_TYPE') return notBeside;
    if (error.code === 'TOO_LARGE') return `is too large: ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

// Opened on first read, so that no error occurs without a handler.
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Returns the files of removed members, and of items that get a new image. */
export async function releasedFiles(
  db: Database,
  world: Pick<World, 'removed' | 'mediaItems'>,
  images: ReadonlyMap<string, StoredImage>,
): Promise<readonly string[]> {
  const kept = new Set(Array.from(images.values(), ({ file }) => file));
  const files = new Set<string>();
  const size = 500;
  for (let start = 0; start < world.removed.length; start += size) {
    const rows = await db.query<{ file: string }>(sql`
      select file from album join media_item on album_id = album.id join media_file on item_id = media_item.id
      where ${isOneOf(sql`member_id`, world.removed.slice(start, start + size))}`);
    for (const { file } of rows) files.add(file);
  }
  for (let start = 0; start < world.mediaItems.length; start += size) {
    const ids = world.mediaItems.slice(start, start + size).map(({ id }) => id);
    const rows = await db.query<{ file: string }>(sql`select file from media_file where ${isOneOf(sql`item_id`, ids)}`);
    for (const { file } of rows) if (!kept.has(file.replace(/-\d+$/, ''))) files.add(file);
  }
  return [...files];
}
