import { resolve } from 'node:path';
import { findWorld, type PreparedWorld, prepareWorld, seededRandom, type World, type WorldSource } from '@gantry/lab';
import { createPreparedWorlds } from '@gantry/lab/host';

/** Worlds of a worker, each prepared once: by name, file state, function or object. */
export interface Worlds {
  with<T>(world: WorldSource | World, use: UseOfWorld<T>): Promise<T>;
  close(): Promise<void>;
}

export interface UseOfWorld<T> {
  /** Ids of the apps under test, which some members have. */
  readonly apps: readonly string[];
  /** The world is the same in each run, with the time at which seeded tests stand still. */
  readonly seed: string | undefined;
  readonly make: (prepared: PreparedWorld) => Promise<T>;
}

/** Instant at which time stands still in tests with a seed. */
export const seededStartMs = Date.UTC(2026, 0, 15, 12);
const mostKept = 12;

/** @param folder Folder that paths of world files are relative to. */
export function createWorlds(folder: string): Worlds {
  const named = createPreparedWorlds();
  const worlds = new Map<string, Promise<PreparedWorld>>();
  const numbers = new WeakMap<object, number>();
  let count = 0;

  function numberOf(world: object): number {
    const number = numbers.get(world) ?? ++count;
    numbers.set(world, number);
    return number;
  }

  async function prepare(world: WorldSource | World, { apps, seed }: UseOfWorld<unknown>): Promise<PreparedWorld> {
    const now = seed === undefined ? Date.now : () => seededStartMs;
    const source = typeof world === 'object' ? world : await findWorld(world, { apps, now });
    return prepareWorld(source, { now, ...(seed !== undefined && { random: seededRandom(`world ${seed}`) }) });
  }

  async function once(world: WorldSource | World, use: UseOfWorld<unknown>): Promise<PreparedWorld> {
    const key = JSON.stringify([typeof world === 'string' ? world : numberOf(world), use.apps, use.seed ?? null]);
    const prepared = worlds.get(key) ?? prepare(world, use);
    worlds.set(key, prepared);
    prepared.catch(() => worlds.delete(key));
    const [oldest] = worlds;
    if (worlds.size > mostKept && oldest) {
      worlds.delete(oldest[0]);
      await close(oldest[1]);
    }
    return prepared;
  }

  return {
    async with(world, use) {
      const source =
        typeof world === 'string' && /\.(?:json|jsonl|ndjson)$/i.test(world) ? resolve(folder, world) : world;
      if (typeof source === 'string' && use.seed === undefined) return named.with(source, use);
      return use.make(await once(source, use));
    },
    async close() {
      await named.close();
      await Promise.all([...worlds.values()].map(close));
      worlds.clear();
    },
  };
}

async function close(world: Promise<PreparedWorld>): Promise<void> {
  await world.then((prepared) => prepared.close()).catch(() => undefined);
}
