import { dirname } from 'node:path';
import { manifestPath } from '@gantry/lab/host';
import { readFolder, type VersionList } from '@gantry/proxy';
import { countText } from '@gantry/wire/runtime';
import { sizeText } from '../terminal/size-text.ts';

/** The files of an app's folder: those that become its version, and those that do not. */
export interface ServedFiles {
  readonly served: readonly { readonly path: string; readonly size: number }[];
  /** Paths that are left out; a folder of which nothing is served ends with a slash. */
  readonly notServed: readonly string[];
}

/** Names that are shown of those that are not served. */
const mostShown = 8;

/**
 * Reads which files of a folder become its version. Resolves with `undefined` for a project whose
 * build has the `gadget.json`.
 *
 * @param all Paths of all files in the folder, with slashes.
 * @throws SocialError for a folder that is too large for a version.
 */
export async function readServedFiles(folder: string, all: readonly string[]): Promise<ServedFiles | undefined> {
  return dirname(manifestPath(folder)) === folder ? servedFilesOf((await readFolder(folder)).list, all) : undefined;
}

/** @param all Paths of all files in the folder, with slashes. */
export function servedFilesOf({ files }: Pick<VersionList, 'files'>, all: readonly string[]): ServedFiles {
  const served = files.map(({ path, size }) => ({ path, size }));
  const paths = new Set(served.map(({ path }) => path));
  const foldersServed = new Set([...paths].flatMap(foldersOf));
  const notServed = all
    .filter((path) => !paths.has(path.normalize('NFC')))
    .map((path) => foldersOf(path).find((folder) => !foldersServed.has(folder.normalize('NFC'))) ?? path);
  return { served, notServed: [...new Set(notServed)].sort() };
}

/** Returns the folders of a path, the outermost first, each with its slash. */
function foldersOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => `${names.slice(0, index + 1).join('/')}/`);
}

/** Returns what a site serves of an app in one line: number, size, the largest, the others. */
export function servedLine({ served, notServed }: ServedFiles): string {
  const bytes = served.reduce((sum, { size }) => sum + size, 0);
  const [largest, ...others] = [...served].sort((a, b) => b.size - a.size);
  const most = largest && others.length > 0 ? ` (the largest: ${largest.path}, ${sizeText(largest.size)})` : '';
  const count = `${countText(served.length, 'file')}, ${sizeText(bytes)}${most}`;
  if (notServed.length === 0) return `${count}: all of the folder`;
  const more = notServed.length - mostShown;
  const names = notServed.slice(0, mostShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${count}; not served: ${names}`;
}
