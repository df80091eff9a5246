import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@gantry/store';
import type { SocialError } from '@gantry/wire';
import sharp from 'sharp';
import { isFileUsed } from '../store/media-files.ts';
import { type Draft, type OpenNew, openNew as openNewFile, receiveDraft, removeStaleDrafts } from './draft.ts';
import { createDrawing } from './drawing.ts';
import { encode, encodingVersion, inspect, previewPixels, thumbnailPixels } from './encode.ts';
import { imageError, storageFailure } from './image-error.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';

/** Image in the media folder. Files are named by content, so equal pictures are stored once. */
export interface StoredImage {
  /** Name in the media folder. */
  readonly file: string;
  readonly type: ImageType;
  readonly thumbnailFile: string;
  readonly size: number;
}

/** Pictures of the media folder. Each one is re-encoded, a few at a time. */
export interface Images {
  /**
   * Stores a picture; `use` then writes the rows that refer to its files. If that fails, the files
   * are removed. @throws SocialError TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST for an
   * undecodable image, UNAVAILABLE, STORAGE_FULL
   */
  store<T>(source: AsyncIterable<Uint8Array>, storing: StoreImageOptions<T>): Promise<T>;
  /** Removes the files that no item uses any longer, with their thumbnails. */
  removeUnused(files: readonly string[]): Promise<void>;
}

export interface StoreImageOptions<T> {
  readonly maxBytes: number;
  /** The member whose picture it is: members take turns. Default: nobody's. */
  readonly member?: string;
  readonly use: (image: StoredImage) => Promise<T>;
}

export interface ImagesOptions {
  readonly db: Database;
  readonly mediaFolder: string;
  readonly openNew?: OpenNew;
  readonly now?: () => number;
}

const staleMs = 5 * 60 * 1000;

/** Returns the name of the preview that pages show to the photo's owner. */
export function previewFile(file: string): string {
  return `${file}-${previewPixels}`;
}

/** Makes the refusal of a photo while others are received, read or drawn. */
export function tooManyPhotos(): SocialError {
  return imageError('image_busy', 'Too many photos are coming in: try again.', { retryAfter: 5 });
}

/** Makes the store of pictures in a media folder, which draws each anew. */
export function createImages(options: ImagesOptions): Images {
  const { db, mediaFolder, openNew = openNewFile, now = Date.now } = options;
  sharp.concurrency(1); // one thread per picture leaves the others to readers
  const draw = createDrawing({ full: tooManyPhotos });
  const drafts = join(mediaFolder, '.drafts');
  const removed = join(mediaFolder, '.removed');
  let cleanedAtMs = Number.NEGATIVE_INFINITY;

  async function clean(): Promise<void> {
    if (now() - cleanedAtMs < staleMs) return;
    cleanedAtMs = now();
    await mkdir(removed, { recursive: true, mode: 0o700 }); // a full disk allows no new folder
    await removeStaleDrafts(drafts, { beforeMs: now() - staleMs });
    for (const name of await readdir(removed).catch(() => [])) await settle(name); // left by a killed process
  }

  async function placed(draft: Draft, member: string): Promise<StoredImage> {
    const type = imageTypeOf(draft.head);
    if (!type) {
      throw imageError('image_unknown_type', 'This is no photo: JPEG, PNG, WebP and GIF images can be shown.');
    }
    const file = fileOf(draft);
    const areThere = await Promise.all(filesOf(file).map((name) => exists(join(mediaFolder, name))));
    if (areThere.includes(false)) {
      const picture = await inspect(draft.path, type);
      const { original, thumbnails } = await draw({ member, pixels: picture.pixels }, () => encode(picture));
      for (const [pixels, bytes] of thumbnails) await place(`${file}-${pixels}`, bytes);
      await place(file, original);
    }
    const { size } = await stat(join(mediaFolder, file));
    return { file, type, thumbnailFile: thumbnailOf(file), size };
  }

  /** Writes a file atomically: even a power failure leaves no partial file under the final name. */
  async function place(name: string, bytes: Uint8Array): Promise<void> {
    const draft = join(drafts, randomUUID());
    try {
      const file = await openNew(draft);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(mediaFolder, name));
      await syncFolder(mediaFolder);
    } catch (error) {
      await rm(draft, { force: true });
      throw storageFailure(error);
    }
  }

  // Another process may start to use the same picture at any moment. So a file is moved aside
  // before the last check for uses, and a process that starts to use it checks afterwards that it
  // still exists.
  async function remove(name: string): Promise<void> {
    await mkdir(removed, { recursive: true, mode: 0o700 });
    await rename(join(mediaFolder, name), join(removed, name)).catch(ignoreMissing);
    await settle(name);
  }

  async function settle(name: string): Promise<void> {
    const aside = join(removed, name);
    if (await isFileUsed(db, originalOf(name))) await rename(aside, join(mediaFolder, name)).catch(ignoreMissing);
    else await rm(aside, { force: true });
  }

  const images: Images = {
    async store(source, { maxBytes, member = '', use }) {
      await clean();
      const draft = await receiveDraft(source, { folder: drafts, maxBytes, openNew });
      try {
        const used = await use(await placed(draft, member));
        await placed(draft, member); // see `remove`
        return used;
      } catch (error) {
        await images.removeUnused([fileOf(draft)]).catch(() => {}); // the first error counts
        throw error;
      } finally {
        await draft.discard();
      }
    },
    async removeUnused(files) {
      for (const file of new Set(files.map(originalOf))) {
        if (await isFileUsed(db, file)) continue;
        for (const name of filesOf(file)) await remove(name);
      }
    },
  };
  return images;
}

function fileOf({ digest }: Draft): string {
  return `${digest}.${encodingVersion}`;
}

function thumbnailOf(file: string): string {
  return `${file}-${thumbnailPixels}`;
}

function filesOf(file: string): readonly string[] {
  return [file, thumbnailOf(file), previewFile(file)];
}

function originalOf(file: string): string {
  return file.replace(/-\d+$/, '');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
