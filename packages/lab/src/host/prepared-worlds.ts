import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { SocialError } from '@gantry/wire';
import { type PreparedWorld, prepareWorld } from '../prepare-world.ts';
import { findWorld, worldNames } from '../worlds/find-world.ts';
import type { WorldSource } from '../worlds/world.ts';

interface Use<T> {
  /** Ids of the apps under development, which some members have. */
  readonly apps: readonly string[];
  readonly make: (world: PreparedWorld) => Promise<T>;
}

interface Kept {
  readonly world: Promise<PreparedWorld>;
  /** Number of labs that are being made of it. */
  users: number;
}

const mostKept = 12;
/** Larger than any world for tests. */
const mostFileBytes = 128 * 1024 * 1024;

/** Keeps the 12 worlds that were used last. Each is imported once, until its file changes. */
export function createPreparedWorlds() {
  const worlds = new Map<string, Kept>(); // least recently used first

  async function prepare(source: WorldSource, apps: readonly string[]): Promise<PreparedWorld> {
    return prepareWorld(await findWorld(source, { apps }));
  }

  async function shorten(): Promise<void> {
    for (const [key, one] of [...worlds].slice(0, -mostKept)) {
      if (one.users > 0) continue;
      worlds.delete(key);
      await closeKept(one);
    }
  }

  return {
    /**
     * Calls `make` with a world, which is kept until that resolves.
     *
     * @param source A function that makes the content of a world file is called each time.
     */
    async with<T>(source: WorldSource, { apps, make }: Use<T>): Promise<T> {
      if (typeof source === 'function') {
        const prepared = await prepare(source, apps);
        return make(prepared).finally(prepared.close);
      }
      const name = worldNames.includes(source) ? source : resolve(source);
      const key = JSON.stringify([isAbsolute(name) ? await keyOfFile(name) : name, ...apps]);
      const one = worlds.get(key) ?? { world: prepare(name, apps), users: 0 };
      worlds.delete(key);
      worlds.set(key, one);
      one.world.catch(() => worlds.delete(key));
      one.users++;
      try {
        return await make(await one.world);
      } finally {
        one.users--;
        await shorten();
      }
    },
    async close(): Promise<void> {
      for (const one of worlds.values()) await closeKept(one);
      worlds.clear();
    },
  };
}

async function closeKept({ world }: Kept): Promise<void> {
  await world.then((prepared) => prepared.close()).catch(() => undefined);
}

/** Names a file as it is now. @throws SocialError BAD_REQUEST for what is no file, or too large. */
async function keyOfFile(path: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) {
    throw new SocialError(
      'BAD_REQUEST',
      `There is no world ${path}: the worlds are ${worldNames.join(', ')}, or a file.`,
    );
  }
  if (file.size > mostFileBytes) throw new SocialError('BAD_REQUEST', `${path} is too large for a world.`);
  return `${path} ${file.mtimeMs} ${file.size}`;
}
