import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';

/**
 * Copies a file with mode 0600 (security rule 30): the source's mode would not do, since its folder
 * may be what protects it. Blocks are shared if the file system can.
 *
 * @example
 * import { statSync, writeFileSync } from 'node:fs';
 * writeFileSync('/tmp/gantry-example-source', 'key', { mode: 0o644 });
 * await copyPrivateFile('/tmp/gantry-example-source', '/tmp/gantry-example-copy');
 * statSync('/tmp/gantry-example-copy').mode & 0o777; // 384
 */
export async function copyPrivateFile(from: string, to: string, flags = constants.COPYFILE_FICLONE): Promise<void> {
  await copyFile(from, to, flags);
  await chmod(to, 0o600);
}
