import type { Clock } from '@gantry/wire/runtime';

const longestMs = 2 ** 31 - 1; // longer timers fire at once; callers check the time and wait again

/** The part of the machine's clock that the SDK needs, apart to keep its script small. */
export const systemTime: Pick<Clock, 'now' | 'elapsed' | 'after'> = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
