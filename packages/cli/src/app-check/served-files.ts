import { isServed } from '@gantry/proxy';

/** Files of an app's folder by whether a site serves them. */
export interface ServedFiles {
  readonly served: readonly string[];
  /** Paths that are not served; a folder of which nothing is ends with a slash. */
  readonly notServed: readonly string[];
}

/** Names that are shown of those that are not served. */
const mostShown = 8;

/** @param files Paths in the folder, with slashes. */
export function servedFilesOf(files: readonly string[]): ServedFiles {
  const served = files.filter(isServed);
  const foldersServed = new Set(served.flatMap(foldersOf));
  const notServed = files
    .filter((path) => !isServed(path))
    .map((path) => foldersOf(path).find((folder) => !foldersServed.has(folder)) ?? path);
  return { served, notServed: [...new Set(notServed)].sort() };
}

/** Returns the folders of a path, the outermost first, each with its slash. */
function foldersOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => `${names.slice(0, index + 1).join('/')}/`);
}

/** Returns what a site serves of an app in one line. */
export function servedLine({ served, notServed }: ServedFiles): string {
  const count = `${served.length} ${served.length === 1 ? 'file' : 'files'}`;
  if (notServed.length === 0) return `${count}, all of the folder`;
  const more = notServed.length - mostShown;
  const names = notServed.slice(0, mostShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${count}; not served: ${names}`;
}
