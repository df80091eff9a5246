import { seededNumbers } from '@gantry/wire/runtime';

/** Numbers and bytes from a seed, the same on every machine. */
export interface Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
  one<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function createRandom(seed: number): Random {
  const next = seededNumbers(seed);
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    one: (items) => items[below(items.length)] as (typeof items)[number],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
