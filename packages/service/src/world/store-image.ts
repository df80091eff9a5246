import { createHash, randomUUID } from 'node:crypto';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** An image in the media folder, with its thumbnail. Files are named by content, so the same picture is there once. */
export interface StoredImage {
  /** Name in the media folder. */
  readonly file: string;
  readonly type: string;
  readonly thumbnailFile: string;
  readonly size: number;
}

/** Content type of thumbnails. */
export const thumbnailType = 'image/webp';

const thumbnailPixels = 360; // two columns on a phone, sharp

const types: ReadonlyMap<string | undefined, string> = new Map([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
]);

/**
 * Copies an image into the media folder and makes its thumbnail. The type is that of the bytes, whatever the name says.
 *
 * @returns `undefined` for a file that is not there or no image that every browser shows. An SVG is none of them: opened
 *   by itself, it would be a document of the site that runs scripts.
 */
export async function storeImage(path: string, mediaFolder: string): Promise<StoredImage | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const { format } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: undefined }));
  const type = types.get(format);
  if (type === undefined) return undefined;
  const file = createHash('sha256').update(bytes).digest('hex');
  const thumbnailFile = `${file}-${thumbnailPixels}`;
  try {
    await place(join(mediaFolder, thumbnailFile), () => thumbnail(bytes));
  } catch {
    return undefined; // a header without the picture that it announces
  }
  await place(join(mediaFolder, file), async () => bytes);
  return { file, type, thumbnailFile, size: bytes.length };
}

function thumbnail(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes)
    .autoOrient()
    .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer();
}

async function place(path: string, make: () => Promise<Uint8Array>): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const draft = `${path}.${randomUUID()}`; // the same picture may be on its way twice
  await writeFile(draft, await make());
  await rename(draft, path); // never half a file under the final name
}
