import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppFolder } from '../app-folder.ts';

const pattern = /^[^.].*\.stories\.(?:ts|js|mjs)$/;

/** Returns whether a name is that of a story file. */
function isStoryFile(name: string): boolean {
  return pattern.test(name);
}

/** Lists story files beside a `gadget.json`, by name; none for an unreadable folder. */
export async function findStoryFiles({ folder }: AppFolder): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter(isStoryFile)
    .sort()
    .map((name) => join(folder, name));
}
