/** What a number of a generated world is for: numbers of different uses do not depend on each other. */
export type Draw = (use: number, subject: number, turn?: number) => number;

/**
 * A source of numbers without state: the same question gets the same answer, in any order and on any machine, since it is
 * integer arithmetic only. Numbers are whole, from 0 to 2^32 - 1.
 *
 * The mixing is that of MurmurHash3's finalizer, once for each part of the question.
 */
export function createDraw(seed: number): Draw {
  const start = mix(seed ^ 0x9e3779b9);
  return (use, subject, turn = 0) => {
    const named = mix(start ^ Math.imul(use + 1, 0x85ebca6b));
    return mix(mix(named ^ subject) ^ Math.imul(turn + 1, 0xc2b2ae35)) >>> 0;
  };
}

/** One of the numbers from 0 to `size` - 1, for a `size` below 2^32. */
export function below(size: number, drawn: number): number {
  return Math.floor((drawn * size) / 2 ** 32); // multiplied and halved as IEEE 754 says, so alike everywhere
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
