import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Entries that may be in a folder in which a gadget is made: a repository without files, and what systems leave. */
const harmless = new Set(['.git', '.DS_Store', 'Thumbs.db']);

/**
 * Returns the names of what is in the way in a folder, sorted.
 *
 * @throws Error with a code of the file system where it cannot be read, `ENOTDIR` for a file.
 */
export function inTheWay(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder)
    .filter((name) => !harmless.has(name))
    .sort();
}

/**
 * Writes files into a folder, which is made where it is missing: all of them, or none.
 *
 * @param files Texts by path, with slashes.
 * @throws Error with a code of the file system; a file that is there is never replaced (`EEXIST`). Nothing is left then.
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(folder, path);
      makeFolder(dirname(file), undo);
      writeFileSync(file, text, { flag: 'wx' });
      undo.push(() => rmSync(file));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  makeFolder(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
}
