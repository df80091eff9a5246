import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { SocialError } from '@gantry/wire';
import type { World, WorldSource } from './world.ts';

/**
 * Finds a world by its name, reads it from a file, or makes it with a function.
 *
 * @throws SocialError BAD_REQUEST for an unknown name, or a file that cannot be read as JSON.
 */
export async function findWorld(source: WorldSource): Promise<World> {
  if (typeof source === 'function') return { name: 'own', file: await source(), folder: process.cwd() };
  if (isAbsolute(source)) return readWorld(source);
  if (source === 'pleasant') return { name: 'pleasant', file: pleasant, folder: process.cwd() };
  throw new SocialError('BAD_REQUEST', `There is no world ${source}.`);
}

async function readWorld(path: string): Promise<World> {
  try {
    return { name: basename(path), file: JSON.parse(await readFile(path, 'utf8')), folder: dirname(path) };
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', `${path} cannot be read as a world file.`, { cause });
  }
}

const pleasant = {
  site: { name: 'Pleasant' },
  members: ['Ada Lovell', 'Bo Sand', 'Cy Marsh', 'Di Vale'].map((displayName, index) => ({
    id: `m-${index + 1}`,
    displayName,
    birthday: `1990/0${index + 1}/17`,
  })),
  friendships: [
    ['m-1', 'm-2'],
    ['m-1', 'm-3'],
  ],
};
