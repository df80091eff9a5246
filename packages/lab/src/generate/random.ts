/** Purposes of random numbers. Never renumber: a seed must always give the same world. */
export const use = {
  culture: 1,
  givenName: 2,
  familyName: 3,
  gender: 4,
  birthday: 5,
  language: 6,
  about: 7,
  region: 8,
  hidden: 9,
  level: 10,
  friendClass: 11,
  friendCount: 12,
  friend: 13,
  distance: 14,
  block: 15,
  install: 16,
  installLevel: 17,
  data: 18,
  author: 19,
  authorKind: 20,
  activityApp: 21,
  title: 22,
  album: 24,
  albumTitle: 25,
  albumLevel: 26,
  items: 27,
  itemLevel: 28,
  link: 29,
} as const;

/** Returns the random number of a purpose, which is independent of those of other purposes. */
export type Draw = (use: number, subject: number, turn?: number) => number;

/**
 * Makes a stateless random source: the same arguments return the same number from 0 to 2^32 - 1, in
 * any order and on any machine (integer arithmetic only). It mixes with the finalizer of
 * MurmurHash3, once for each argument.
 */
export function createDraw(seed: number): Draw {
  const start = mix(seed ^ 0x9e3779b9);
  return (use, subject, turn = 0) => {
    const named = mix(start ^ Math.imul(use + 1, 0x85ebca6b));
    return mix(mix(named ^ subject) ^ Math.imul(turn + 1, 0xc2b2ae35)) >>> 0;
  };
}

/** Maps a random number to one from 0 to `size` - 1, for a `size` below 2^32. */
export function below(size: number, drawn: number): number {
  return Math.floor((drawn * size) / 2 ** 32); // IEEE 754 defines both steps, so all machines agree
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
