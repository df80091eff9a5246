import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;

/** Makes a source of random bytes that reads ahead: a system call costs as much as a signature. */
export function createRandom(fill: (pool: Uint8Array) => void = randomFillSync): (bytes: number) => Uint8Array {
  const pool = new Uint8Array(poolBytes);
  let left = 0;

  /** @param bytes At most 4096. */
  return (bytes) => {
    if (bytes > left) {
      fill(pool);
      left = poolBytes;
    }
    left -= bytes;
    const slice = pool.slice(left, left + bytes);
    pool.fill(0, left, left + bytes); // no copy of used bytes remains
    return slice;
  };
}
