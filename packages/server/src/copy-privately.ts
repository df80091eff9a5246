import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';

/**
 * Copies a file so that only its owner can read the copy (security rule 30). The system would give it the mode of the source,
 * which may lie in a folder that protects it. Blocks are shared where the file system can.
 */
export async function copyPrivately(from: string, to: string, flags = constants.COPYFILE_FICLONE): Promise<void> {
  await copyFile(from, to, flags);
  await chmod(to, 0o600);
}
