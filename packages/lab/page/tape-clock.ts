import type { Clock } from '@gantry/wire';

/** Time of a replay, with two hands: time stands where the tape is, and timers go on. */
export interface TapeClock extends Clock {
  /** Moves time on to a moment, in milliseconds since the epoch. What became due by it runs at once. Never goes back. */
  moveTo(atMs: number): void;
}

interface Timer {
  readonly dueMs: number;
  fire(): void;
}

/**
 * Makes the clock of one replay. Timers fire after as much of the machine's time as they ask for, or earlier, when time
 * moves that far: heartbeats and queues work while time stands still, and thirty seconds of a tape take none.
 */
export function createTapeClock(startMs: number): TapeClock {
  const timers = new Set<Timer>();
  let nowMs = startMs;
  return {
    now: () => nowMs,
    elapsed: () => nowMs,
    after(ms, callback) {
      const timeout = setTimeout(fire, Math.min(ms, 2 ** 31 - 1)); // a longer timer of a browser runs at once
      const timer = { dueMs: nowMs + ms, fire };
      timers.add(timer);
      function stop(): void {
        clearTimeout(timeout);
        timers.delete(timer);
      }
      function fire(): void {
        stop();
        callback();
      }
      return stop;
    },
    random: Math.random,
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    moveTo(atMs) {
      if (atMs <= nowMs) return;
      nowMs = atMs;
      const due = [...timers].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
      for (const timer of due) if (timers.has(timer)) timer.fire(); // one may have ended another
    },
  };
}
