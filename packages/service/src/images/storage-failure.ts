import { SocialError } from '@gantry/wire';

/** A failure of the file system as the error that says so: a full disk is no fault of whoever sent the file. */
export function storageFailure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !noSpace.has(code)) return error;
  return new SocialError('STORAGE_FULL', 'The site cannot store any photo at present.', { cause: error });
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG']);
