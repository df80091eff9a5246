import { SocialError } from '@gantry/wire';
import type { TakeRate } from '@gantry/wire/runtime';

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
export const leastBytes = 4_096;

/** Makes the function that counts bytes of a key. It throws SocialError RATE_LIMITED. */
export function createByteLimit(take: TakeRate): (key: string, bytes: number) => Promise<void> {
  return async (key, bytes) => {
    const retryAfter = await take(`bytes ${key}`, bytesOfKey, bytes);
    if (retryAfter === undefined) return;
    throw new SocialError('RATE_LIMITED', `This key has sent too much: retry in ${retryAfter} s.`, { retryAfter });
  };
}
