import type { Clock } from '@gantry/wire/runtime';

/** A clock that stands still until it is set on. */
export interface StillClock extends Clock {
  /** Sets it on by `ms`, and calls what became due, in order. */
  jump(ms: number): void;
  /** Timers that wait for a later time. */
  readonly waiting: number;
}

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Makes a clock at a time of 2026; its chance counts up, so that every run is the same. */
export function createStillClock(startMs = 1_790_000_000_000): StillClock {
  const timers = new Set<Timer>();
  let passedMs = 0;
  let count = 0;

  function next(untilMs: number): Timer | undefined {
    return [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  }

  return {
    now: () => startMs + passedMs,
    elapsed: () => passedMs,
    random: () => 0.5,
    bytes(length) {
      count += 1;
      return Uint8Array.from({ length }, (_, at) => (count >> (8 * at)) & 255);
    },
    after(ms, callback) {
      const timer: Timer = { dueMs: passedMs + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    jump(ms) {
      const untilMs = passedMs + ms;
      for (let timer = next(untilMs); timer; timer = next(untilMs)) {
        timers.delete(timer);
        passedMs = Math.max(passedMs, timer.dueMs);
        timer.callback();
      }
      passedMs = untilMs;
    },
    get waiting() {
      return timers.size;
    },
  };
}
