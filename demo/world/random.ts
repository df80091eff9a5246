import { seededNumbers } from '@gantry/wire/runtime';

/** A seeded source of choices: the same seed gives the same choices on every machine. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Returns a whole number from `from` to `to`, both included. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns one of the keys, with probability proportional to its number. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  shuffled<T>(list: readonly T[]): T[];
  /** Returns an independent source: draws of one part of the world do not shift another part's. */
  fork(label: string): Random;
}

export function createRandom(seed: string): Random {
  const whole = seededNumbers(hash(seed));
  const next = () => whole() / 4_294_967_296;
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => {
      if (list.length === 0) throw new RangeError('Nothing to pick from.');
      return list[int(0, list.length - 1)] as T;
    },
    weighted: <K extends string>(weights: Readonly<Record<K, number>>) => {
      const entries = Object.entries(weights) as [K, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const entry = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return (entry ?? (entries.at(-1) as [K, number]))[0];
    },
    shuffled: <T>(list: readonly T[]) => {
      const result = [...list];
      for (let end = result.length - 1; end > 0; end--) {
        const other = int(0, end);
        [result[end], result[other]] = [result[other] as T, result[end] as T];
      }
      return result;
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  };
}

/** Hashes by FNV-1a over UTF-16 code units, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
