import type { SocialError } from '@gantry/wire';
import sharp, { type FormatEnum, type Sharp } from 'sharp';
import { imageError } from './image-error.ts';
import type { ImageType } from './image-type.ts';

/** Encoded files of one picture, without metadata. */
export interface Encoded {
  readonly original: Uint8Array;
  /** Keyed by pixels on the longer side. */
  readonly thumbnails: ReadonlyMap<number, Uint8Array>;
}

/** Version of the encoding. Raise it whenever the same file would be stored differently. */
export const encodingVersion = 2;
export const thumbnailType = 'image/webp';
/** Sizes for the API, and for the service's own pages on dense screens. */
export const thumbnailPixels = 180;
export const previewPixels = 360;

export const maxPixels = 50_000_000; // of all frames together
export const maxFrames = 300;
const seconds = 30;

const formats = {
  'image/jpeg': ['jpeg', { quality: 88 }],
  'image/png': ['png', {}],
  'image/webp': ['webp', { quality: 88 }],
  'image/gif': ['gif', { effort: 3 }],
} as const satisfies Record<ImageType, readonly [keyof FormatEnum, object]>;

/**
 * Re-encodes a picture: upright, in sRGB, without metadata or anything else that a file can carry.
 * Animations stay animated.
 *
 * @throws SocialError BAD_REQUEST for a damaged file, TOO_LARGE for too many pixels or frames.
 */
export async function encode(path: string, type: ImageType): Promise<Encoded> {
  const isAnimated = await inspect(path, type);
  const [format, options] = formats[type];
  const read = (animated: boolean) => {
    const image = sharp(path, { animated, failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true });
    // Frames cannot be rotated, and cameras make none.
    return (animated ? image : image.autoOrient()).timeout({ seconds });
  };
  try {
    const original = await read(isAnimated).toFormat(format, options).toBuffer();
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
  const image = sharp(path, { failOn: 'error', limitInputPixels: false }); // reads the header only
  const { format, width, height, pages = 1 } = await image.metadata().catch((cause) => Promise.reject(damaged(cause)));
  if (format !== formats[type][0]) throw damaged(undefined);
  if (width * height > maxPixels) {
    throw imageError('image_too_many_pixels', `A photo has at most ${maxPixels / 1e6} million pixels here.`);
  }
  if (pages > maxFrames || width * height * pages > maxPixels) {
    throw imageError(
      'image_too_many_frames',
      `An animation has at most ${maxFrames} frames here, fewer if they are large.`,
    );
  }
  return pages > 1;
}

function thumbnail(image: Sharp, pixels: number): Promise<Buffer> {
  return image
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 2 })
    .toBuffer();
}

function damaged(cause: unknown): SocialError {
  return imageError('image_damaged', 'The image is damaged: it cannot be shown.', { cause });
}
