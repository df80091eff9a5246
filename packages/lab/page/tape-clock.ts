import type { Clock } from '@gantry/wire/runtime';

/**
 * Makes the clock of a replay. Timers fire after the machine's time, or earlier if the tape's time
 * passes them: heartbeats and queues run while time stands still.
 */
export function createTapeClock(startMs: number): Clock & { moveTo(atMs: number): void } {
  const timers = new Set<{ readonly dueMs: number; fire(): void }>();
  let nowMs = startMs;
  return {
    now: () => nowMs,
    elapsed: () => nowMs,
    after(ms, callback) {
      const timeout = setTimeout(fire, Math.min(ms, 2 ** 31 - 1)); // browsers run longer timers at once
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
    /** Moves time forward, in milliseconds since the epoch, and fires timers that became due. */
    moveTo(atMs) {
      if (atMs <= nowMs) return;
      nowMs = atMs;
      const due = [...timers].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
      for (const timer of due) if (timers.has(timer)) timer.fire();
    },
  };
}
