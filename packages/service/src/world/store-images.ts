import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Database, openFile, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Images, StoredImage } from '../images/images.ts';
import { chunks } from '../store/chunks.ts';
import { isOneOf } from '../store/one-of.ts';
import type { World } from './schema.ts';

const imagesAtOnce = 4;
const maxBytes = 256 * 2 ** 20; // the pixel limit is usually reached first

/** First record that could not be stored: its index, and a sentence without full stop. */
export interface BadRecord {
  readonly index: number;
  readonly problem: string;
}

/**
 * Stores the images, by media item. If the import fails, nothing refers to their files.
 *
 * @param options.onStored Called with the number of items done.
 */
export async function storeImages(
  images: Images,
  mediaItems: World['mediaItems'],
  { folder, onStored }: { readonly folder: string | undefined; readonly onStored: (count: number) => void },
): Promise<ReadonlyMap<string, StoredImage> | BadRecord> {
  const imageByItem = new Map<string, StoredImage>();
  let done = 0;
  for (const some of chunks(mediaItems, imagesAtOnce)) {
    const stored = await Promise.all(
      some.map(({ file }) => {
        if (file === undefined) return undefined;
        return folder === undefined ? notBeside : storeFile(images, { folder, file });
      }),
    );
    for (const [index, { id }] of some.entries()) {
      const image = stored[index];
      if (typeof image === 'string') return { index: done + index, problem: image };
      if (image) imageByItem.set(id, image);
    }
    done += some.length;
    onStored(done);
  }
  return imageByItem;
}

const notBeside = 'must be a JPEG, PNG, WebP or GIF image beside the world file';
const outside = 'must be in the folder of the world file, and no link out of it';

/** True for a path below a folder. Both are real paths, so that no link leads elsewhere. */
function liesIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** @returns The fault of a file that cannot be shown. */
async function storeFile(
  images: Images,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<StoredImage | string> {
  const path = await realpath(resolve(folder, file)).catch(() => undefined);
  if (path === undefined) return notBeside;
  if (!liesIn(path, await realpath(folder))) return outside;
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

// Opened on first read, so that no error occurs without a handler. A name that is no regular file
// comes as an empty one.
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  if (file) yield* file.stream();
}

/** Returns the files of removed members, and of items that get a new image. */
export async function releasedFiles(
  db: Database,
  { removed, mediaItems }: World,
  images: ReadonlyMap<string, StoredImage>,
): Promise<readonly string[]> {
  const newFiles = new Set(Array.from(images.values(), ({ file }) => file));
  const files = new Set<string>();
  for (const members of chunks(removed)) {
    const rows = await db.query<{ file: string }>(sql`
      select file from album join media_item on album_id = album.id join media_file on item_id = media_item.id
      where ${isOneOf(sql`member_id`, members)}`);
    for (const { file } of rows) files.add(file);
  }
  for (const ids of chunks(mediaItems.map(({ id }) => id))) {
    const rows = await db.query<{ file: string }>(sql`select file from media_file where ${isOneOf(sql`item_id`, ids)}`);
    for (const { file } of rows) if (!newFiles.has(file.replace(/-\d+$/, ''))) files.add(file);
  }
  return [...files];
}
