import { createHash, type Hash } from 'node:crypto';
import type { OpenFile } from '../open-file.ts';

/**
 * The port to files that are written once, with `test/blobs/blobs-contract.ts` as its contract.
 * Names have letters, digits, `-`, `.` and `~`, and at most one folder.
 */
export interface Blobs {
  /** Stores bytes as a whole: no reader sees a part of them. @throws StoreError */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Opens bytes for reading, exactly as they were put.
   *
   * @param options.mostBytes Larger ones fail. Default: 256 MiB.
   * @returns `undefined` if there are none of that name.
   * @throws StoreError unavailable, also for other bytes than those that were put.
   */
  open(name: string, options?: { readonly mostBytes?: number }): Promise<OpenFile | undefined>;
  /** Resolves with the number of bytes; `undefined` if there are none of that name. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Resolves with size and digest: in a bucket those of the put, in a folder those of now. */
  factsOf(name: string): Promise<BlobFacts | undefined>;
  /** Gives bytes another name. Resolves with false if there are none. */
  move(from: string, to: string): Promise<boolean>;
  /** Removes bytes, if they are there. */
  remove(name: string): Promise<void>;
  /** Lists names in a folder, without it, a thousand at most. */
  list(folder: string): Promise<readonly string[]>;
}

/** By which two places are compared. */
export interface BlobFacts {
  readonly size: number;
  /** SHA-256 of name and bytes in hex; `undefined` if another program put them. */
  readonly digest: string | undefined;
}

/** Blobs of a site that are in a bucket. */
export interface Bucket {
  /** Photos and their thumbnails. */
  readonly media: Blobs;
  /** Chunks of the files of apps. */
  readonly chunks: Blobs;
}

/** Bytes of one blob that is read. */
export const maxBlobBytes = 256 * 1_024 * 1_024;

/**
 * Puts new blobs into one place, and finds those of an earlier place, too: a site that names a
 * bucket goes on serving what it has.
 */
export function withEarlier(blobs: Blobs, earlier: Blobs): Blobs {
  return {
    put: blobs.put,
    open: async (name, options) => (await blobs.open(name, options)) ?? earlier.open(name, options),
    sizeOf: async (name) => (await blobs.sizeOf(name)) ?? earlier.sizeOf(name),
    factsOf: async (name) => (await blobs.factsOf(name)) ?? earlier.factsOf(name),
    move: async (from, to) => (await Promise.all([blobs.move(from, to), earlier.move(from, to)])).includes(true),
    async remove(name) {
      await Promise.all([blobs.remove(name), earlier.remove(name)]);
    },
    list: async (folder) => [...new Set((await Promise.all([blobs.list(folder), earlier.list(folder)])).flat())],
  };
}

/** Starts a digest that covers the name, so that no blob passes for another. */
export function digestStart(blob: string): Hash {
  return createHash('sha256').update(`${blob}\n`);
}

/** Returns the facts of bytes under a name. */
export function factsOfBytes(name: string, bytes: Uint8Array): BlobFacts & { readonly digest: string } {
  return { size: bytes.length, digest: digestStart(name).update(bytes).digest('hex') };
}
