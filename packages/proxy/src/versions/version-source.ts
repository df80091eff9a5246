import { SocialError } from '@gantry/wire';
import type { ChunkStore } from './chunk-store.ts';
import { chunksOf, type VersionList } from './version-list.ts';

/** Files that can become a version: those of a folder or of a packed app. */
export interface VersionSource {
  readonly list: VersionList;
  /**
   * Reads chunks of the list, each once.
   *
   * @throws SocialError BAD_REQUEST that names a file that has changed since it was listed.
   */
  read(digests: Iterable<string>): AsyncGenerator<readonly [digest: string, bytes: Uint8Array]>;
}

/** Stores the chunks of a source that are missing. Resolves with their number. */
export async function storeChunks(chunks: ChunkStore, source: VersionSource): Promise<number> {
  const missing = await chunks.missing([...chunksOf(source.list).keys()]);
  for await (const [digest, bytes] of source.read(missing)) await chunks.put(digest, bytes);
  return missing.length;
}

/** Returns the error for a file that is not as it was listed. */
export function changedMeanwhile(path: string): SocialError {
  return new SocialError('BAD_REQUEST', `${path} changed while it was read. Try again when it is at rest.`);
}
