/** Numbers and bytes from a seed, the same on every machine. */
export interface Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
  one<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** Creates the generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    one: (items) => items[below(items.length)] as (typeof items)[number],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
