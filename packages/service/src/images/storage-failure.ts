import { imageError } from './image-error.ts';

/** Converts a full disk's error to STORAGE_FULL, since the sender is not at fault. */
export function storageFailure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !noSpace.has(code)) return error;
  return imageError('image_storage_full', 'The site cannot store any photo at present.', { cause: error });
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG']);
