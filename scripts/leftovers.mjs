// Finds what tests leave in the clone. Git does not see empty folders.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// Folders whose content is made by builds, runs and `npm start`.
const unread = new Set(['.git', '.gantry', 'dist', 'node_modules', 'test-results']);

/** Lists the files and folders of a folder, each as a path from there. */
export function listTree(folder, inside = '') {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = join(inside, entry.name);
    return [path, ...(entry.isDirectory() && !unread.has(entry.name) ? listTree(folder, path) : [])];
  });
}

/** Returns what is new since `before`: of a new folder only its own path. */
export function newPaths(folder, before) {
  const earlier = new Set(before);
  const made = listTree(folder).filter((path) => !earlier.has(path) && !isBuilt(path));
  return made.filter((path) => !made.some((other) => path.startsWith(join(other, '/'))));
}

function isBuilt(path) {
  return /(?:^|[\\/])(?:\.gantry|dist|node_modules|test-results|[^\\/]*\.tsbuildinfo)$/.test(path);
}
