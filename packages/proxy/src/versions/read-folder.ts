import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileChanged, openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { isServed } from '../apps/served-files.ts';
import { createChunker } from './chunker.ts';
import {
  maxFileBytes,
  maxFiles,
  maxVersionBytes,
  pathProblem,
  refuse,
  tooLargeFile,
  tooManyBytes,
  tooManyFiles,
  toVersionFile,
  toVersionList,
  type VersionFile,
} from './version-list.ts';
import { changedMeanwhile, type VersionSource } from './version-source.ts';

/** Entries of all folders that are looked at for the files of a version. */
export const maxFolderEntries = 20_000;
const maxDepth = 32;

/**
 * Lists the files of an app's folder that Gantry serves, and reads them again for their bytes.
 * Symbolic links are followed within the folder.
 *
 * @throws SocialError as `toVersionList`; BAD_REQUEST for a folder that is missing or has too many
 * entries. All name the file.
 */
export async function readFolder(folder: string): Promise<VersionSource> {
  const places = await servedFiles(folder);
  const files: VersionFile[] = [];
  let bytes = 0;
  for (const [path, place] of places) {
    const chunks: string[] = [];
    let size = 0;
    for await (const chunk of chunksIn(folder, path, place)) {
      chunks.push(chunk.digest);
      size += chunk.bytes.length;
    }
    bytes += size;
    if (bytes > maxVersionBytes) throw tooManyBytes();
    files.push(toVersionFile({ path, size, chunks }));
  }
  const list = toVersionList(files);
  return {
    list,
    async *read(digests) {
      const wanted = new Set(digests);
      for (const file of list.files) {
        if (!file.chunks.some((digest) => wanted.has(digest))) continue;
        let index = 0;
        for await (const { digest, bytes } of chunksIn(folder, file.path, places.get(file.path) as string)) {
          if (digest !== file.chunks[index++]) throw changedMeanwhile(file.path);
          if (wanted.delete(digest)) yield [digest, bytes] as const;
        }
        if (index !== file.chunks.length) throw changedMeanwhile(file.path);
      }
    },
  };
}

/** Finds the files that Gantry serves: their paths in NFC, with those on the disk. */
async function servedFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  let entries = 0;

  async function walk(inFolder: string, above: readonly string[]): Promise<void> {
    const here = await realpath(join(folder, inFolder));
    if (above.includes(here) || above.length > maxDepth) return; // a link to a folder that it lies in
    for (const { name } of await readdir(here, { withFileTypes: true })) {
      entries += 1;
      if (entries > maxFolderEntries) {
        const message = `${folder} has more than ${maxFolderEntries} entries. Name the folder with the built app.`;
        throw new SocialError('BAD_REQUEST', message);
      }
      const place = inFolder === '' ? name : `${inFolder}/${name}`;
      if (isServed(place)) await add(place);
      // Asks of a page in it: nothing below node_modules or a hidden folder is served.
      if (isServed(`${place}/index.html`) && (await isFolder(join(folder, place)))) await walk(place, [...above, here]);
    }
  }

  async function add(place: string): Promise<void> {
    const file = await openFile(place, { below: folder });
    if (file === undefined) return; // a folder, a device, or a link that leads out
    await file.close();
    if (!isServed(file.inFolder)) return;
    const path = place.normalize('NFC');
    const problem = pathProblem(path);
    if (problem !== undefined) throw refuse(path, problem);
    if (places.has(path)) throw refuse(path, 'is there twice, under names that differ only in their form');
    if (file.size > maxFileBytes) throw tooLargeFile(path);
    if (places.size === maxFiles) throw tooManyFiles();
    places.set(path, place);
  }

  if (!(await isFolder(folder))) throw new SocialError('BAD_REQUEST', `There is no folder ${folder}.`);
  await walk('', []);
  return places;
}

async function* chunksIn(folder: string, path: string, place: string) {
  const file = await openFile(place, { below: folder });
  if (file === undefined) throw changedMeanwhile(path);
  const chunker = createChunker();
  try {
    if (file.size > maxFileBytes) throw tooLargeFile(path);
    for await (const bytes of file.chunks()) yield* chunker.add(bytes);
    yield* chunker.end();
  } catch (error) {
    throw error instanceof FileChanged ? changedMeanwhile(path) : error;
  } finally {
    await file.close();
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
