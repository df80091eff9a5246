import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppFolder } from '../app-folder.ts';

const pattern = /^[^.].*\.stories\.(?:ts|js|mjs)$/;

/** Says whether a file holds stories, by its name. */
export function isStoryFile(name: string): boolean {
  return pattern.test(name);
}

/** Lists the story files beside an app's `gadget.json`, by name. A folder that cannot be read has none. */
export async function findStoryFiles({ folder }: AppFolder): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter(isStoryFile)
    .sort()
    .map((name) => join(folder, name));
}
