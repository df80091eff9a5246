import type { Clock } from '@gantry/wire/runtime';
import { systemTime } from './system-time.ts';

/** Clock and random numbers of the machine. */
export const systemClock: Clock = {
  ...systemTime,
  random: () => Math.random(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
