import type { Tape } from '@gantry/lab/tape';
import { readTapeFile } from '@gantry/lab/tape-file';
import { UsageError } from '@gantry/server';

/** Reads a tape. @throws UsageError that names the file if it is not a tape. */
export function read(path: string): Tape {
  try {
    return readTapeFile(path);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(message.includes(path) ? message : `${path}: ${message}`);
  }
}
