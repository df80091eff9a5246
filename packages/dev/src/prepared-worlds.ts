import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { findWorld, type PreparedWorld, prepareWorld, type WorldSource, worldNames } from '@gantry/lab';
import { SocialError } from '@gantry/wire';

/** Worlds that labs are copied from. Each is imported once, until its file changes. */
export interface PreparedWorlds {
  /**
   * Makes something of a world. It is not removed meanwhile.
   *
   * @param source Name, path of a file, or function that makes a world file's content: that is called each time.
   */
  with<T>(source: WorldSource, make: (world: PreparedWorld) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const mostKept = 12;
/** Beyond any world that a test or a person looks at. */
const mostFileBytes = 128 * 1024 * 1024;

export function createPreparedWorlds(): PreparedWorlds {
  const kept = new Map<string, Kept>(); // the longest unused first

  async function once<T>(source: () => unknown, make: (world: PreparedWorld) => Promise<T>): Promise<T> {
    const prepared = await prepareWorld(await findWorld(source));
    return make(prepared).finally(prepared.close);
  }

  function use(key: string, source: string): Kept {
    const one = kept.get(key) ?? { world: findWorld(source).then((world) => prepareWorld(world)), users: 0 };
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
    async with(source, make) {
      if (typeof source === 'function') return once(source, make);
      const name = worldNames.includes(source) ? source : resolve(source);
      const one = use(isAbsolute(name) ? await keyOfFile(name) : name, name);
      one.users++;
      try {
        return await make(await one.world);
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

interface Kept {
  readonly world: Promise<PreparedWorld>;
  /** How many labs are being made of it at this moment. */
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
