import { SocialError } from '@gantry/wire';
import { createTokenBucket } from '@gantry/wire/runtime';
import { LRUCache } from 'lru-cache';

/**
 * Bytes of chunks that a key may send (docs/limits.md): two of the largest versions at once, then a
 * megabyte a minute. Chunks that no version has are stored for a day, so that this bounds what a
 * key can fill.
 */
export const bytesOfKey = {
  burst: 104_857_600,
  perMinute: 1_048_576,
};
/** Bytes that a chunk counts at least: the row costs that much. */
const leastBytes = 4_096;

/** Makes the limit of bytes of each key, in this process. */
export function createByteLimit(now: () => number) {
  const buckets = new LRUCache<string, ReturnType<typeof createTokenBucket>>({ max: 10_000 });

  function spend(key: string, bytes: number): number {
    const bucket = buckets.get(key) ?? createTokenBucket({ ...bytesOfKey, now });
    buckets.set(key, bucket);
    return bucket(bytes);
  }

  return {
    /** Refuses a key that has spent its bytes. @throws SocialError RATE_LIMITED */
    require(key: string): void {
      const left = spend(key, 0);
      if (left > 0) return;
      const retryAfter = Math.max(1, Math.ceil((-left * 60) / bytesOfKey.perMinute));
      throw new SocialError('RATE_LIMITED', `This key has sent too much: retry in ${retryAfter} s.`, { retryAfter });
    },
    /** Counts a chunk. */
    spend: (key: string, bytes: number): number => spend(key, Math.max(bytes, leastBytes)),
  };
}
