import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';

/**
 * Copies a file with mode 0600 (security rule 30): the source's mode would not do, since its folder
 * may be what protects it. Blocks are shared if the file system can.
 */
export async function copyPrivateFile(from: string, to: string, flags = constants.COPYFILE_FICLONE): Promise<void> {
  await copyFile(from, to, flags);
  await chmod(to, 0o600);
}
