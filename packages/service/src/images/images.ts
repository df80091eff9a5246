import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import sharp from 'sharp';
import { isFileUsed } from '../store/media-files.ts';
import { type Draft, type OpenNew, openNew as openNewFile, receive, removeStaleDrafts } from './draft.ts';
import { encode, previewPixels, recipe, thumbnailPixels } from './encode.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';
import { storageFailure } from './storage-failure.ts';
import { createWorkQueue } from './work-queue.ts';

/** An image in the media folder. Files are named by content, so the same picture is there once. */
export interface StoredImage {
  /** Name in the media folder. */
  readonly file: string;
  readonly type: ImageType;
  readonly thumbnailFile: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** The pictures of the media folder. Whatever comes in is drawn anew, a few at a time. */
export interface Images {
  /**
   * Stores a picture and has it used: `use` writes the rows that lead to its files. If that fails, the files go again.
   *
   * @throws SocialError TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST for what cannot be drawn, UNAVAILABLE, STORAGE_FULL
   */
  store<T>(source: AsyncIterable<Uint8Array>, storing: Storing<T>): Promise<T>;
  /** Removes those of the files that no item has any more, with their thumbnails. */
  removeUnused(files: readonly string[]): Promise<void>;
}

export interface Storing<T> {
  readonly maxBytes: number;
  readonly use: (image: StoredImage) => Promise<T>;
}

export interface ImagesOptions {
  readonly db: Database;
  readonly mediaFolder: string;
  /** Files that are being received, before more are refused. */
  readonly mostReceiving?: number;
  /** Pictures that wait to be drawn, before more are refused. */
  readonly mostWaiting?: number;
  readonly openNew?: OpenNew;
  readonly now?: () => number;
}

const staleMs = 5 * 60 * 1000;

/** Name of the preview that the service's own pages show. */
export function previewFile(file: string): string {
  return `${file}-${previewPixels}`;
}

export function createImages(options: ImagesOptions): Images {
  const { db, mediaFolder, mostReceiving = 32, mostWaiting = 32, openNew = openNewFile, now = Date.now } = options;
  sharp.concurrency(1); // one thread for each picture: the others are for those who only read
  const drawing = createWorkQueue({ atOnce: 2, mostWaiting });
  const drafts = join(mediaFolder, '.drafts');
  const removed = join(mediaFolder, '.removed');
  let receiving = 0;
  let cleanedAtMs = Number.NEGATIVE_INFINITY;

  async function clean(): Promise<void> {
    if (now() - cleanedAtMs < staleMs) return;
    cleanedAtMs = now();
    await mkdir(removed, { recursive: true, mode: 0o700 }); // while there is room
    await removeStaleDrafts(drafts, { beforeMs: now() - staleMs });
    for (const name of await readdir(removed).catch(() => [])) await settle(name); // left by a process that was killed
  }

  async function received(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Draft> {
    if (receiving >= mostReceiving) {
      throw new SocialError('UNAVAILABLE', 'Too many photos are coming in: try again.', { retryAfter: 5 });
    }
    receiving++;
    try {
      return await receive(source, { folder: drafts, maxBytes, openNew });
    } finally {
      receiving--;
    }
  }

  async function placed(draft: Draft): Promise<StoredImage> {
    const type = imageTypeOf(draft.head);
    if (!type) {
      throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'This is no photo: JPEG, PNG, WebP and GIF images can be shown.');
    }
    const file = fileOf(draft);
    const thumbnailFile = `${file}-${thumbnailPixels}`;
    const [isThere, ...others] = await Promise.all(
      [file, thumbnailFile, previewFile(file)].map((name) => exists(join(mediaFolder, name))),
    );
    if (!isThere || others.includes(false)) {
      const { original, thumbnails } = await drawing.run(() => encode(draft.path, type));
      for (const [pixels, bytes] of thumbnails) await place(`${file}-${pixels}`, bytes);
      await place(file, original);
    }
    const { size } = await stat(join(mediaFolder, file));
    return { file, type, thumbnailFile, size };
  }

  /** Never half a file under the final name, not after a power loss either. */
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

  // Another process may take the same picture into use at any moment. So a file is put aside before it is asked for the last
  // time whether it is used; and whoever took it into use looks afterwards whether it is still there.
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
    async store(source, { maxBytes, use }) {
      await clean();
      const draft = await received(source, maxBytes);
      try {
        const used = await use(await placed(draft));
        await placed(draft); // see `remove`
        return used;
      } catch (error) {
        await images.removeUnused([fileOf(draft)]).catch(() => {}); // what went wrong first is what counts
        throw error;
      } finally {
        await draft.discard();
      }
    },
    async removeUnused(files) {
      for (const file of new Set(files.map(originalOf))) {
        if (await isFileUsed(db, file)) continue;
        for (const name of [file, `${file}-${thumbnailPixels}`, previewFile(file)]) await remove(name);
      }
    },
  };
  return images;
}

function fileOf({ digest }: Draft): string {
  return `${digest}.${recipe}`;
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
