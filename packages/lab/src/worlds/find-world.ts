import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { jsonProblem } from '@gantry/proxy';
import { readLinesAsWorld } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { crowd } from './crowd.ts';
import { friendly } from './friendly.ts';
import { hostile } from './hostile.ts';
import { personasOf } from './personas.ts';
import type { World, WorldOptions, WorldSource } from './world.ts';

const worlds = { friendly, empty, crowd, hostile } as const;

/** Names of the worlds that come with Gantry, the usual one first. */
export const worldNames: readonly string[] = Object.keys(worlds);

/**
 * Finds a world by its name, reads it from a file, or makes it with a function.
 *
 * @param source A name; the path of a world file, absolute or relative to the working folder, which
 * ends in `.json`, `.jsonl` or `.ndjson`; or a function that returns, or resolves with, the content
 * of a world file.
 * @throws SocialError BAD_REQUEST for an unknown name, or for a bad file, with the place in it.
 */
export async function findWorld(source: WorldSource, options: WorldOptions = {}): Promise<World> {
  if (typeof source === 'function') return { name: 'own', file: await source(), folder: process.cwd() };
  if (Object.hasOwn(worlds, source)) return worlds[source as keyof typeof worlds](options);
  if (/\.(jsonl?|ndjson)$/i.test(source)) {
    const isLines = !/\.json$/i.test(source);
    const file = isLines ? await reading(source, readLinesAsWorld) : await readJson(source);
    return { name: basename(source), file, folder: dirname(resolve(source)) };
  }
  const names = worldNames.join(', ');
  throw new SocialError(
    'BAD_REQUEST',
    `There is no world ${JSON.stringify(source)}: the worlds are ${names}, or a file whose name ends in .json or .jsonl.`,
  );
}

async function readJson(path: string): Promise<unknown> {
  const text = (await reading(path, (file) => readFile(file, 'utf8'))).replace(/^\uFEFF/, '');
  const bad = jsonProblem(text);
  if (bad) throw new SocialError('BAD_REQUEST', `${path}:${bad.line}:${bad.column} is not JSON: ${bad.problem}.`);
  return JSON.parse(text);
}

/** @throws SocialError BAD_REQUEST that names the path. */
async function reading<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path);
  } catch (cause) {
    if (cause instanceof SocialError) throw new SocialError(cause.code, `${path}: ${cause.message}`, { cause });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new SocialError('BAD_REQUEST', `${path} cannot be read (${code}).`, { cause });
  }
}

function empty(): World {
  const file = { site: { name: 'Empty' }, members: [{ id: 'm-1', displayName: 'Ada Lovell' }] };
  return {
    name: 'empty',
    file,
    folder: '.',
    personas: personasOf(file, ['m-1']),
    oddities: [
      { id: 'empty/alone', what: 'A member without friends, activities, albums, birthday and picture.', member: 'm-1' },
    ],
  };
}
