import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';

/** Copies a file with mode 0600 (security rule 30), sharing blocks if the file system can. */
export async function copyPrivateFile(from: string, to: string, flags = constants.COPYFILE_FICLONE): Promise<void> {
  await copyFile(from, to, flags);
  await chmod(to, 0o600);
}
