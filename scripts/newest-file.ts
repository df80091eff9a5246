import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the latest modification time of a file, in milliseconds.
 *
 * Folders do not count: a program's hidden file changes its folder, but no source.
 */
export function newestFile(patterns: readonly string[], folder: string): number {
  const times = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: folder }))
    .map((path) => statSync(join(folder, path), { throwIfNoEntry: false }))
    .flatMap((stats) => (stats?.isFile() ? [stats.mtimeMs] : []));
  return times.reduce((newest, time) => Math.max(newest, time), 0);
}
