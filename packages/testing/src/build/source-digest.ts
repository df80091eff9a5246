import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const left: ReadonlySet<string> = new Set(['node_modules', 'dist', 'test-results', 'playwright-report', 'coverage']);
const mostFiles = 20_000;

/**
 * Returns a digest of an app's sources. It leaves out hidden folders and those that no build reads,
 * but includes hidden files (`.env`), and installed packages by the list of the package manager.
 *
 * @param more Other things that a build depends on.
 * @throws Error for a folder with more than 20,000 files.
 */
export async function sourceDigest(folder: string, more: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(more));
  const folders = [''];
  let files = 0;
  for (const inside of folders) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(inside, entry.name);
      if (entry.isDirectory() && !left.has(entry.name) && !entry.name.startsWith('.')) folders.push(path);
      if (!entry.isFile()) continue;
      files += 1;
      if (files > mostFiles)
        throw new Error(`${folder} has more than ${mostFiles} files: name the folder of the gadget alone.`);
      const content = await readFile(join(folder, path));
      hash.update(JSON.stringify([path, content.byteLength])).update(content);
    }
  }
  for (const list of ['.package-lock.json', '.modules.yaml', '.yarn-state.yml']) {
    const file = await stat(join(folder, 'node_modules', list)).catch(() => undefined);
    if (file) hash.update(JSON.stringify([list, file.size, file.mtimeMs]));
  }
  return hash.digest('hex').slice(0, 24);
}
