import type { Clock } from '@gantry/wire';

const longestMs = 2 ** 31 - 1; // beyond it, timers fire at once; who waits for longer looks again then

/** The clock and the chance of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
