import { imageError } from '@gantry/service/account';
import type { Clock } from '@gantry/wire/runtime';

/** Time of this process. */
export type SteadyClock = Pick<Clock, 'elapsed' | 'after'>;

export const systemClock: SteadyClock = {
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const windowMs = 10_000;
const leastBytes = 10 * 1024; // 1 kB a second

/**
 * Yields the chunks of a body, as long as they come at 1 kB a second or more. Only time spent
 * waiting for the sender counts: chunks that are not asked for are not late.
 *
 * @throws SocialError REQUEST_TIMEOUT, BAD_REQUEST if the sender leaves
 */
export async function* steadyBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { elapsed, after }: SteadyClock = systemClock,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  let leftMs = windowMs;
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw imageError('image_incomplete', 'The file did not arrive as a whole.', { cause });
    });
  let read: ReturnType<typeof next> | undefined;
  for (;;) {
    read ??= next();
    const { promise: windowEnd, resolve } = Promise.withResolvers<undefined>();
    const startedMs = elapsed();
    const cancel = after(leftMs, () => resolve(undefined));
    const result = await Promise.race([read, windowEnd]).finally(cancel);
    leftMs -= elapsed() - startedMs;
    if (result?.done) return;
    if (result) {
      bytes += result.value.length;
      read = undefined; // a read begun before the check below would never be awaited
      yield result.value;
    }
    if (leftMs > 0) continue;
    if (bytes < leastBytes) throw imageError('image_too_slow', 'The file came too slowly.');
    bytes = 0;
    leftMs = windowMs;
  }
}
