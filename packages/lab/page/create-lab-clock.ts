import { type ClockState, createTwoHands } from '@gantry/lab/two-hands';
import type { Clock } from '@gantry/wire';

/** Time of a lab on its page. Ages and deadlines of sessions go by the hand that stops; waits by the one that never does. */
export interface LabClock extends Clock {
  /** Sets the time of the lab. Resolves when the waits that became due by it have ended. */
  set(state: ClockState): Promise<void>;
}

/** @param machine.now Milliseconds since the epoch. */
export function createLabClock({ now = Date.now } = {}): LabClock {
  const hands = createTwoHands({
    ...{ now, elapsed: () => performance.now() },
    set: (fire, ms) => setTimeout(fire, ms),
    clear: (timer: ReturnType<typeof setTimeout>) => clearTimeout(timer),
  });
  return {
    now: hands.now,
    elapsed: hands.elapsed,
    after: (ms, callback) => hands.at(hands.elapsed() + ms, callback),
    random: Math.random,
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    async set(state) {
      hands.set(state);
      await new Promise((resolve) => setTimeout(resolve, 0)); // behind the timers that became due
    },
  };
}
