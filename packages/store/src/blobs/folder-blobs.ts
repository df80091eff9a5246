import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError } from '../database.ts';
import { openFile } from '../open-file.ts';
import { type Blobs, digestStart, maxBlobBytes } from './blobs.ts';

/** Opens a file for writing; fails if it exists. */
export type OpenNew = (path: string) => Promise<FileHandle>;

export const openNew: OpenNew = (path) => open(path, 'wx', 0o600);

/**
 * Keeps blobs as files of a folder, with unfinished ones in `.drafts`.
 *
 * @param options.kept Folders to make before the disk is full, which then allows none.
 */
export function createFolderBlobs(
  folder: string,
  options: { readonly openNew?: OpenNew | undefined; readonly kept?: readonly string[] } = {},
): Blobs {
  const { openNew: create = openNew, kept = [] } = options;
  const drafts = join(folder, '.drafts');

  return {
    // Even a power failure leaves no partial file under the final name.
    async put(name, bytes) {
      for (const path of [drafts, ...kept.map((each) => join(folder, each)), dirname(join(folder, name))]) {
        await mkdir(path, { recursive: true, mode: 0o700 });
      }
      const draft = join(drafts, randomUUID());
      try {
        const file = await create(draft);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(folder, name));
        await syncFolder(dirname(join(folder, name)));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async open(name, { mostBytes = maxBlobBytes } = {}) {
      const file = await openFile(join(folder, name));
      if (!file || file.size <= mostBytes) return file;
      await file.close();
      throw new StoreError('unavailable', `The file ${name} has ${file.size} bytes, more than ${mostBytes}.`);
    },
    sizeOf: (name) => stat(join(folder, name)).then(({ size }) => size, ifMissing(undefined)),
    async factsOf(name) {
      const file = await openFile(join(folder, name));
      if (!file) return undefined;
      try {
        const hash = digestStart(name);
        for await (const chunk of file.chunks()) hash.update(chunk);
        return { size: file.size, digest: hash.digest('hex') };
      } finally {
        await file.close();
      }
    },
    async move(from, to) {
      await mkdir(dirname(join(folder, to)), { recursive: true, mode: 0o700 });
      return rename(join(folder, from), join(folder, to)).then(() => true, ifMissing(false));
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    list: (name) => readdir(join(folder, name)).then((names) => names.slice(0, 1_000), ifMissing([])),
  };
}

function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
