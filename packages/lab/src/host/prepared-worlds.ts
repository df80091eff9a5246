import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { SocialError } from '@gantry/wire';
import { type PreparedWorld, prepareWorld } from '../prepare-world.ts';
import { findWorld, worldNames } from '../worlds/find-world.ts';
import type { WorldSource } from '../worlds/world.ts';

/** Worlds to copy labs from. Each is imported once, until its file changes. */
export interface PreparedWorlds {
  /**
   * Calls `use.make` with a world, which is kept until that resolves.
   *
   * @param source Name, path of a file, or function that makes a world file's content: that is
   * called each time.
   * @param use.apps Ids of the apps that are looked at, which some members have.
   */
  with<T>(source: WorldSource, use: Use<T>): Promise<T>;
  close(): Promise<void>;
}

const mostKept = 12;
/** Larger than any world for tests. */
const mostFileBytes = 128 * 1024 * 1024;

/**
 * Makes a cache of the 12 worlds that were used last.
 *
 * @example
 * const worlds = createPreparedWorlds();
 * await worlds.with('empty', { apps: [], make: async ({ name }) => name }); // 'empty'
 * await worlds.close();
 */
export function createPreparedWorlds(): PreparedWorlds {
  const kept = new Map<string, Kept>(); // the longest unused first

  async function prepare(source: WorldSource, apps: readonly string[]): Promise<PreparedWorld> {
    return prepareWorld(await findWorld(source, { apps }));
  }

  async function once<T>(source: () => unknown, { apps, make }: Use<T>): Promise<T> {
    const prepared = await prepare(source, apps);
    return make(prepared).finally(prepared.close);
  }

  function use(key: string, source: string, apps: readonly string[]): Kept {
    const one = kept.get(key) ?? { world: prepare(source, apps), users: 0 };
    kept.delete(key);
    kept.set(key, one);
    one.world.catch(() => kept.delete(key));
    return one;
  }

  async function shorten(): Promise<void> {
    for (const [key, one] of [...kept].slice(0, -mostKept)) {
      if (one.users > 0) continue;
      kept.delete(key);
      await one.world.then((world) => world.close()).catch(() => undefined);
    }
  }

  return {
    async with(source, asked) {
      if (typeof source === 'function') return once(source, asked);
      const name = worldNames.includes(source) ? source : resolve(source);
      const file = isAbsolute(name) ? await keyOfFile(name) : name;
      const one = use(JSON.stringify([file, ...asked.apps]), name, asked.apps);
      one.users++;
      try {
        return await asked.make(await one.world);
      } finally {
        one.users--;
        await shorten();
      }
    },
    async close() {
      for (const { world } of kept.values()) await world.then((one) => one.close()).catch(() => undefined);
      kept.clear();
    },
  };
}

interface Use<T> {
  readonly apps: readonly string[];
  readonly make: (world: PreparedWorld) => Promise<T>;
}

interface Kept {
  readonly world: Promise<PreparedWorld>;
  /** Number of labs that are being made of it. */
  users: number;
}

/** Names a file as it is now. @throws SocialError BAD_REQUEST for what is no file, or too large. */
async function keyOfFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new SocialError(
      'BAD_REQUEST',
      `There is no world ${path}: the worlds are ${worldNames.join(', ')}, or a file.`,
    );
  }
  if (found.size > mostFileBytes) throw new SocialError('BAD_REQUEST', `${path} is too large for a world.`);
  return `${path} ${found.mtimeMs} ${found.size}`;
}
