import { type ErrorCode, SocialError, type SocialErrorOptions } from '@gantry/wire';

/** Stable words for the faults of an image, each with its code. Pages have a text for each. */
const codes = {
  image_empty: 'BAD_REQUEST',
  image_incomplete: 'BAD_REQUEST',
  image_too_slow: 'REQUEST_TIMEOUT',
  image_damaged: 'BAD_REQUEST',
  image_unknown_type: 'UNSUPPORTED_MEDIA_TYPE',
  image_too_large: 'TOO_LARGE',
  image_too_long: 'TOO_LARGE',
  image_too_many_pixels: 'TOO_LARGE',
  image_too_many_whole_pixels: 'TOO_LARGE',
  image_too_many_frames: 'TOO_LARGE',
  image_busy: 'UNAVAILABLE',
  image_storage_full: 'STORAGE_FULL',
} as const satisfies Readonly<Record<string, ErrorCode>>;
export type ImageFault = keyof typeof codes;

/** Makes the error of a fault, with its word as `problem`. */
export function imageError(fault: ImageFault, message: string, options: SocialErrorOptions = {}): SocialError {
  return new SocialError(codes[fault], message, { ...options, problem: fault });
}

/** Returns true for the word of an image's fault. */
export function isImageFault(word: string | undefined): word is ImageFault {
  return word !== undefined && Object.hasOwn(codes, word);
}

/** Converts a full disk's error to STORAGE_FULL, since the sender is not at fault. */
export function storageFailure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !noSpace.has(code)) return error;
  return imageError('image_storage_full', 'The site cannot store any photo at present.', { cause: error });
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG']);
