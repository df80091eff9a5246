import type { VersionList } from './version-list.ts';
import type { VersionSource } from './version-source.ts';

/**
 * Packs a version as a plain tar file, the same bytes for the same list.
 *
 * @param read Reads a chunk of the list.
 */
export async function* packVersion(
  _list: VersionList,
  _read: (digest: string) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  throw new Error('not yet');
}

/**
 * Reads a tar file of a version: to its end for the list, and again for the bytes.
 *
 * @param open Opens the file anew.
 * @throws SocialError as `toVersionList`; BAD_REQUEST for anything but plain files and folders.
 */
export async function readTar(_open: () => AsyncIterable<Uint8Array>): Promise<VersionSource> {
  throw new Error('not yet');
}
