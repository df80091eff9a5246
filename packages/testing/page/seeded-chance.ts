/** Makes a seeded random source: predictable, which is harmless for an invented site. */
export function seededChance(seed: string): {
  random(): number;
  bytes(length: number): Uint8Array<ArrayBuffer>;
} {
  let state = 2_166_136_261; // FNV-1a of the seed, then mulberry32
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) as number), 16_777_619);
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  return {
    random: () => next() / 2 ** 32,
    bytes: (length) => Uint8Array.from({ length }, () => next() & 255),
  };
}
