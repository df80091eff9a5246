import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Creates a folder and those that it is in, if missing, and adds how to undo that. */
export function makeFolder(folder: string, undo: (() => void)[], mode = 0o777): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  makeFolder(dirname(folder), undo, mode);
  mkdirSync(folder, { mode });
  undo.push(() => {
    try {
      rmdirSync(folder);
    } catch {
      // no longer empty
    }
  });
}
