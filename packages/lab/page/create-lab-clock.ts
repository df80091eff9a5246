import { type ClockState, createJumpingClock } from '@gantry/lab/jumping-clock';
import type { Clock } from '@gantry/wire/runtime';

/** Time of a lab on its page. Ages and deadlines stop with it; waits do not. */
export interface LabClock extends Clock {
  /** Sets the time of the lab. Resolves when the waits that became due by it have ended. */
  set(state: ClockState): Promise<void>;
}

/** Makes a clock that runs with the machine's until `set` is called. */
export function createLabClock({ now = Date.now } = {}): LabClock {
  const time = createJumpingClock({
    now,
    elapsed: () => performance.now(),
    set: (fire, ms) => setTimeout(fire, ms),
    clear: (timer: ReturnType<typeof setTimeout>) => clearTimeout(timer),
  });
  return {
    now: time.now,
    elapsed: time.elapsed,
    after: (ms, callback) => time.at(time.elapsed() + ms, callback),
    random: Math.random,
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    async set(state) {
      time.set(state);
      await new Promise((resolve) => setTimeout(resolve, 0)); // after the timers that became due
    },
  };
}
