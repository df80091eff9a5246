import { seededNumbers } from '@gantry/wire/runtime';

/** Makes a seeded random source: predictable, which is harmless for an invented site. */
export function seededChance(seed: string): { random(): number; bytes(length: number): Uint8Array<ArrayBuffer> } {
  let hash = 2_166_136_261; // FNV-1a
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 16_777_619);
  const next = seededNumbers(hash);
  return { random: () => next() / 2 ** 32, bytes: (length) => Uint8Array.from({ length }, () => next() & 255) };
}
