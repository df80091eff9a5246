import { rmSync, writeFileSync } from 'node:fs';
import { SocialError } from '@gantry/wire';

/**
 * Writes a file that only its owner can read.
 *
 * @throws SocialError CONFLICT if it exists, unless `isForced`.
 */
export function writeNew(path: string, text: string, isForced: boolean): void {
  if (isForced) rmSync(path, { force: true }); // its mode would stay
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new SocialError('CONFLICT', `${path} exists. --force overwrites it.`);
  }
}
