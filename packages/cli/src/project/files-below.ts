import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Lists all files below a folder by their path in it, with slashes. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const start = join(folder, '.').length + 1;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(start).replaceAll('\\', '/'));
}
