import { createHash } from 'node:crypto';

/** Makes pseudorandom bytes, the same for the same seed. For labs only: they can be guessed. */
export function seededRandom(seed: string): (bytes: number) => Uint8Array {
  let block = 0;
  let pool = Buffer.alloc(0);
  return (bytes) => {
    while (pool.byteLength < bytes) {
      const more = createHash('sha256').update(`${block++} ${seed}`).digest();
      pool = Buffer.concat([pool, more]);
    }
    const chunk = Uint8Array.from(pool.subarray(0, bytes));
    pool = pool.subarray(bytes);
    return chunk;
  };
}
