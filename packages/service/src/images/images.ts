import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type Blobs,
  type Bucket,
  createFolderBlobs,
  type Database,
  type OpenFile,
  type OpenNew,
  openNew as openNewFile,
  withEarlier,
} from '@gantry/store';
import type { SocialError } from '@gantry/wire';
import sharp from 'sharp';
import { isFileUsed } from '../store/media-files.ts';
import { type Draft, receiveDraft, removeStaleDrafts } from './draft.ts';
import { createDrawing } from './drawing.ts';
import { encode, encodingVersion, inspect, previewPixels, thumbnailPixels } from './encode.ts';
import { imageError, storageFailure } from './image-error.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';

/** Image in the place of photos. Files are named by content, so equal pictures are stored once. */
export interface StoredImage {
  /** Name in that place. */
  readonly file: string;
  readonly type: ImageType;
  readonly thumbnailFile: string;
  readonly size: number;
}

/** Pictures of a site. Each one is re-encoded, a few at a time. */
export interface Images {
  /**
   * Stores a picture; `use` then writes the rows that refer to its files. If that fails, the files
   * are removed. @throws SocialError TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST for an
   * undecodable image, UNAVAILABLE, STORAGE_FULL
   */
  store<T>(source: AsyncIterable<Uint8Array>, storing: StoreImageOptions<T>): Promise<T>;
  /** Opens a file of a picture; `undefined` if there is none. */
  open(file: string): Promise<OpenFile | undefined>;
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
  /** Folder of uploads that are received and, without a bucket, of the photos. */
  readonly mediaFolder: string;
  readonly bucket?: Bucket | undefined;
  readonly openNew?: OpenNew;
  readonly now?: () => number;
}

const staleMs = 5 * 60 * 1000;
/** Folder of files that are being removed. */
const removed = '.removed';

/** Returns the place of photos: a bucket, and the media folder before or without one. */
export function createPhotoBlobs({ mediaFolder, bucket, openNew }: Omit<ImagesOptions, 'db' | 'now'>): Blobs {
  const folder = createFolderBlobs(mediaFolder, { openNew, kept: [removed] });
  return bucket ? withEarlier(bucket.media, folder) : folder;
}

/** Returns the name of the preview that pages show to the photo's owner. */
export function previewFile(file: string): string {
  return `${file}-${previewPixels}`;
}

/** Makes the refusal of a photo while others are received, read or drawn. */
export function tooManyPhotos(): SocialError {
  return imageError('image_busy', 'Too many photos are coming in: try again.', { retryAfter: 5 });
}

/** Makes the store of pictures, which draws each anew. */
export function createImages(options: ImagesOptions): Images {
  const { db, mediaFolder, openNew = openNewFile, now = Date.now } = options;
  const kept = createPhotoBlobs(options);
  sharp.concurrency(1); // one thread per picture leaves the others to readers
  const draw = createDrawing({ full: tooManyPhotos });
  const drafts = join(mediaFolder, '.drafts');
  let cleanedAtMs = Number.NEGATIVE_INFINITY;

  async function clean(): Promise<void> {
    if (now() - cleanedAtMs < staleMs) return;
    cleanedAtMs = now();
    await removeStaleDrafts(drafts, { beforeMs: now() - staleMs });
    for (const name of await kept.list(removed)) {
      const [, atMs = 0] = name.split('~');
      if (Number(atMs) < now() - staleMs) await settle(`${removed}/${name}`); // left by a killed process
    }
  }

  const place = (name: string, bytes: Uint8Array) =>
    kept.put(name, bytes).catch((error: unknown) => Promise.reject(storageFailure(error)));

  async function placed(draft: Draft, member: string): Promise<StoredImage> {
    const type = imageTypeOf(draft.head);
    if (!type) {
      throw imageError('image_unknown_type', 'This is no photo: JPEG, PNG, WebP and GIF images can be shown.');
    }
    const file = fileOf(draft);
    const sizes = await Promise.all(filesOf(file).map(kept.sizeOf));
    let [size] = sizes;
    if (size === undefined || sizes.includes(undefined)) {
      const picture = await inspect(draft.path, type);
      const { original, thumbnails } = await draw({ member, pixels: picture.pixels }, () => encode(picture));
      for (const [pixels, bytes] of thumbnails) await place(`${file}-${pixels}`, bytes);
      await place(file, original);
      size = original.length;
    }
    return { file, type, thumbnailFile: thumbnailOf(file), size };
  }

  // Another process may start to use the same picture at any moment. So a file is moved aside
  // before the last check for uses, and a process that starts to use it checks afterwards that it
  // still exists. Each removal has a name of its own aside: no other takes its file.
  async function remove(name: string): Promise<void> {
    const aside = `${removed}/${name}~${now()}~${randomUUID()}`;
    if (await kept.move(name, aside)) await settle(aside);
  }

  async function settle(aside: string): Promise<void> {
    const [name = ''] = aside.slice(removed.length + 1).split('~');
    if (await isFileUsed(db, originalOf(name))) await kept.move(aside, name);
    else await kept.remove(aside);
  }

  const images: Images = {
    open: kept.open,
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
