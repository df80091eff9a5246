import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns when the file was changed that was changed last, in milliseconds.
 *
 * Folders do not count: a program that leaves a hidden file of its own in one changes the folder, and no source.
 */
export function newestFile(patterns: readonly string[], folder: string): number {
  const times = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: folder }))
    .map((path) => statSync(join(folder, path), { throwIfNoEntry: false }))
    .flatMap((found) => (found?.isFile() ? [found.mtimeMs] : []));
  return times.reduce((newest, time) => Math.max(newest, time), 0);
}
