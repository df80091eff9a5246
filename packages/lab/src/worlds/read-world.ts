import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { jsonProblem } from '@gantry/proxy';
import { readLinesAsWorld } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import type { World } from './world.ts';

/** Returns whether a path names a file of JSON Lines. */
export function isLinesFile(path: string): boolean {
  return /\.(jsonl|ndjson)$/i.test(path);
}

/** @throws SocialError BAD_REQUEST that names the path, the line and the column. */
export async function readWorldFile(path: string): Promise<World> {
  const text = (await reading(path, () => readFile(path, 'utf8'))).replace(/^\uFEFF/, '');
  const bad = jsonProblem(text);
  if (bad) throw new SocialError('BAD_REQUEST', `${path}:${bad.line}:${bad.column} is not JSON: ${bad.problem}.`);
  return worldAt(path, JSON.parse(text));
}

/** @throws SocialError BAD_REQUEST that names the path and the line. */
export async function readWorldLines(path: string): Promise<World> {
  return worldAt(path, await reading(path, () => readLinesAsWorld(path)));
}

function worldAt(path: string, file: unknown): World {
  return { name: basename(path), file, folder: dirname(resolve(path)) };
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof SocialError) throw new SocialError(cause.code, `${path}: ${cause.message}`, { cause });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new SocialError('BAD_REQUEST', `${path} cannot be read (${code}).`, { cause });
  }
}
