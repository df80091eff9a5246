import { SocialError } from '@gantry/wire';
import sharp, { type FormatEnum, type Sharp } from 'sharp';
import type { ImageType } from './image-type.ts';

/** The files of one picture, with nothing in them but the picture. */
export interface Encoded {
  readonly original: Uint8Array;
  /** By pixels on the longer side. */
  readonly thumbnails: ReadonlyMap<number, Uint8Array>;
}

/** Changes whenever the same file would be stored otherwise than before. */
export const recipe = 2;
/** Content type of thumbnails. */
export const thumbnailType = 'image/webp';
/** The API's, and one for the service's own pages on dense screens. */
export const thumbnailPixels = 180;
export const previewPixels = 360;

const maxPixels = 50_000_000; // of all frames together
const maxFrames = 300;
const seconds = 30;

const formats: Readonly<Record<ImageType, keyof FormatEnum>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/**
 * Draws a picture anew: upright, in sRGB, without metadata or anything else that a file can carry. Animations stay animations.
 *
 * @throws SocialError BAD_REQUEST for a damaged file, TOO_LARGE for one with too many pixels or frames.
 */
export async function encode(path: string, type: ImageType): Promise<Encoded> {
  const isAnimated = await inspect(path, type);
  const read = (animated: boolean) => {
    const image = sharp(path, { animated, failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true });
    // Frames cannot be turned, and no camera makes them.
    return (animated ? image : image.autoOrient()).timeout({ seconds });
  };
  try {
    const original = await written(read(isAnimated), type);
    const preview = await thumbnail(read(false), previewPixels);
    const small = await thumbnail(sharp(preview), thumbnailPixels);
    return {
      original,
      thumbnails: new Map([
        [previewPixels, preview],
        [thumbnailPixels, small],
      ]),
    };
  } catch (cause) {
    throw damaged(cause);
  }
}

async function inspect(path: string, type: ImageType): Promise<boolean> {
  const image = sharp(path, { failOn: 'error', limitInputPixels: false }); // the header only: nothing is drawn
  const { format, width, height, pages = 1 } = await image.metadata().catch((cause) => Promise.reject(damaged(cause)));
  if (format !== formats[type]) throw damaged(undefined);
  if (width * height > maxPixels) {
    throw new SocialError('TOO_LARGE', `A photo has at most ${maxPixels / 1e6} million pixels here.`);
  }
  if (pages > maxFrames || width * height * pages > maxPixels) {
    throw new SocialError('TOO_LARGE', `An animation has at most ${maxFrames} frames here, and fewer large ones.`);
  }
  return pages > 1;
}

function written(image: Sharp, type: ImageType): Promise<Uint8Array> {
  if (type === 'image/jpeg') return image.jpeg({ quality: 88 }).toBuffer();
  if (type === 'image/png') return image.png().toBuffer();
  if (type === 'image/webp') return image.webp({ quality: 88 }).toBuffer();
  return image.gif({ effort: 3 }).toBuffer();
}

function thumbnail(image: Sharp, pixels: number): Promise<Buffer> {
  return image
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 2 })
    .toBuffer();
}

function damaged(cause: unknown): SocialError {
  return new SocialError('BAD_REQUEST', 'The image is damaged: it cannot be shown.', { cause });
}
