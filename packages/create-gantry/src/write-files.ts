import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Entries allowed in a gadget's new folder: an empty repository, and files that systems create. */
const harmless = new Set(['.git', '.DS_Store', 'Thumbs.db']);

/**
 * Returns the entries of a folder that prevent its use, sorted.
 *
 * @throws Error with a file system code if it cannot be read, `ENOTDIR` for a file.
 */
export function inTheWay(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder)
    .filter((name) => !harmless.has(name))
    .sort();
}

/**
 * Writes files into a folder, created if missing: all or none.
 *
 * @param files Texts by path, with slashes.
 * @throws Error with a file system code, `EEXIST` for a file that exists. Nothing is left then.
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
