import type { Clock } from '@gantry/wire';

const longestMs = 2 ** 31 - 1; // beyond it, timers fire at once; who waits for longer looks again then

/** The part of the machine's clock that apps need: no byte more is in their script. */
export const systemTime: Pick<Clock, 'elapsed' | 'after'> = {
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
