import type { Manifest } from '../apps/manifest.ts';
import { type ManifestFiles, manifestIn } from '../apps/read-manifest.ts';
import type { VersionList } from './version-list.ts';

/**
 * Reads and validates the manifest of a list, as that of a folder is.
 *
 * @param read Reads a chunk of the list.
 * @throws SocialError BAD_REQUEST for a file that is missing or no icon, and as `checkManifest`.
 */
export function manifestOfList(
  { files }: Pick<VersionList, 'files'>,
  read: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<Manifest> {
  const list: ManifestFiles = {
    place: 'this version',
    async readStart(path, mostBytes) {
      const file = files.find((one) => one.path === path.normalize('NFC'));
      if (file === undefined) return undefined;
      const [first = ''] = file.chunks; // longer than anything that is read of a file
      const bytes = mostBytes === 0 ? new Uint8Array() : await read(first);
      return bytes && { size: file.size, content: Buffer.from(bytes).subarray(0, mostBytes) };
    },
  };
  return manifestIn(list);
}
