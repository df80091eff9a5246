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
export const encodingVersion = 3;
export const thumbnailType = 'image/webp';
/** Sizes for the API, and for the service's own pages on dense screens. */
export const thumbnailPixels = 180;
export const previewPixels = 360;

/** Pixels of all frames together. */
export const maxPixels = 50_000_000;
/** The same for formats that are decoded, or packed, as a whole and not line by line. */
export const maxWholePixels = 25_000_000;
export const maxSide = 16_384;
export const maxFrames = 300;
const seconds = 30;

const formats = {
  'image/jpeg': ['jpeg', { quality: 88 }],
  'image/png': ['png', {}],
  'image/webp': ['webp', { quality: 88 }],
  'image/gif': ['gif', { effort: 3 }],
} as const satisfies Record<ImageType, readonly [keyof FormatEnum, object]>;

/** Picture whose header was read and is within the bounds. */
export interface Inspected {
  readonly path: string;
  readonly type: ImageType;
  readonly isAnimated: boolean;
  /** Pixels of all frames together. */
  readonly pixels: number;
}

/**
 * Re-encodes a picture: upright, in sRGB, without metadata or anything else that a file can carry.
 * Animations stay animated. @throws SocialError BAD_REQUEST for a damaged file.
 */
export async function encode({ path, type, isAnimated, pixels }: Inspected): Promise<Encoded> {
  const [format, options] = formats[type];
  // Packing a JPEG best takes memory for all of it: of 49 megapixels 300 MB instead of 20.
  const packing = type === 'image/jpeg' ? { optimiseCoding: pixels <= maxWholePixels } : {};
  const read = (animated: boolean) => {
    const image = sharp(path, { animated, failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true });
    // Frames cannot be rotated, and cameras make none.
    return (animated ? image : image.autoOrient()).timeout({ seconds });
  };
  try {
    const original = await read(isAnimated)
      .toFormat(format, { ...options, ...packing })
      .toBuffer();
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

/** Reads a picture's header. @throws SocialError BAD_REQUEST if damaged; TOO_LARGE. */
export async function inspect(path: string, type: ImageType): Promise<Inspected> {
  const image = sharp(path, { failOn: 'error', limitInputPixels: false });
  const { format, width, height, pages = 1 } = await image.metadata().catch((cause) => Promise.reject(damaged(cause)));
  if (format !== formats[type][0]) throw damaged(undefined);
  const most = type === 'image/webp' || type === 'image/gif' ? maxWholePixels : maxPixels;
  if (width * height > most) {
    const fault = most === maxPixels ? 'image_too_many_pixels' : 'image_too_many_whole_pixels';
    throw imageError(fault, `A photo has at most ${most / 1e6} million pixels in this format.`);
  }
  if (width > maxSide || height > maxSide) {
    throw imageError('image_too_long', `A photo has sides of at most ${maxSide} pixels here.`);
  }
  const pixels = width * height * pages;
  if (pages > maxFrames || pixels > most) {
    throw imageError(
      'image_too_many_frames',
      `An animation has at most ${maxFrames} frames here, fewer if they are large.`,
    );
  }
  return { path, type, isAnimated: pages > 1, pixels };
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
