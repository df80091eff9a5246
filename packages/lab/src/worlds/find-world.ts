import { SocialError } from '@gantry/wire';
import { crowd } from './crowd.ts';
import { empty } from './empty.ts';
import { nasty } from './nasty.ts';
import { pleasant } from './pleasant.ts';
import { isLinesFile, readWorldFile, readWorldLines } from './read-world.ts';
import type { World, WorldOptions, WorldSource } from './world.ts';

const worlds = { pleasant, empty, crowd, nasty } as const;

/** Names of the worlds that come with Gantry, the usual one first. */
export const worldNames: readonly string[] = Object.keys(worlds);

/**
 * Finds a world by its name, reads it from a file, or makes it with a function.
 *
 * @example
 * (await findWorld('crowd')).name; // 'crowd'
 * await findWorld('flat'); // throws There is no world "flat"
 * @param source A name; the path of a world file, absolute or relative to the working folder, which
 * ends in `.json`, `.jsonl` or `.ndjson`; or a function that returns, or resolves with, the content
 * of a world file.
 * @throws SocialError BAD_REQUEST for an unknown name, and for a file that cannot be read, with its
 * path and the place in it.
 */
export async function findWorld(source: WorldSource, options: WorldOptions = {}): Promise<World> {
  if (typeof source === 'function') return { name: 'own', file: await source(), folder: process.cwd() };
  if (Object.hasOwn(worlds, source)) return worlds[source as keyof typeof worlds](options);
  if (isLinesFile(source)) return readWorldLines(source);
  if (/\.json$/i.test(source)) return readWorldFile(source);
  const names = worldNames.join(', ');
  throw new SocialError(
    'BAD_REQUEST',
    `There is no world ${JSON.stringify(source)}: the worlds are ${names}, or a file whose name ends in .json or .jsonl.`,
  );
}
