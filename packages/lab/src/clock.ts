import type { Every } from '@gantry/store';

/**
 * Time of a lab, with two hands. *Time* is what `now` returns: the system's, moved by jumps, or stopped at an instant.
 * *Scheduling* is when timers fire: that never stops, since a page whose timers stand still never loads. A jump fires at once
 * what became due by it.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by which time is ahead of the system's. */
  readonly offsetMs: number;
  readonly isStopped: boolean;
  /**
   * Moves time forward. A repeated timer that became due several times fires once.
   *
   * @throws RangeError for anything but a whole number of milliseconds from 0 to 100 years.
   */
  jump(ms: number): void;
  /** Stops time, at this moment or at `atMs`. Timers go on. */
  stop(atMs?: number): void;
  /** Lets time go on from where it stands. */
  start(): void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: (change: ClockChange) => void): () => void;
  /** Calls `tick` every `ms`, until the returned function is called. Keeps no process alive. */
  readonly every: Every;
  /** Resolves after `ms`. */
  pause(ms: number): Promise<void>;
  /** Ends all timers. What waits in `pause` goes on at once. */
  close(): void;
}

export interface ClockChange {
  readonly jumpMs: number;
  readonly isStopped: boolean;
}

const longestJumpMs = 100 * 365 * 24 * 60 * 60_000;
const longestTimeoutMs = 2 ** 31 - 1;

interface Timer {
  readonly dueAtMs: number;
  /** Someone waits for it in `pause`. */
  readonly isPause: boolean;
  fire(): void;
  cancel(): void;
}

/**
 * Makes a clock that runs with the system's.
 *
 * @param options.startMs Where time begins. Default: now.
 * @param options.real The system's clock.
 */
export function createClock({
  startMs,
  real = Date.now,
}: {
  readonly startMs?: number | undefined;
  readonly real?: () => number;
} = {}): Clock {
  let offsetMs = startMs === undefined ? 0 : startMs - real();
  let stoppedAtMs: number | undefined;
  let jumpedMs = 0;
  let isClosed = false;
  const timers = new Set<Timer>();
  const listeners = new Set<(change: ClockChange) => void>();

  const now = (): number => stoppedAtMs ?? real() + offsetMs;
  // Timers go by this, whether time itself stands still or not.
  const scheduled = (): number => performance.now() + jumpedMs;

  function change(jumpMs: number): void {
    for (const listener of [...listeners]) listener({ jumpMs, isStopped: stoppedAtMs !== undefined });
  }

  function wait(ms: number, work: () => void, isPause: boolean): () => void {
    const timeout = setTimeout(fire, Math.min(ms, longestTimeoutMs));
    if (!isPause) timeout.unref();
    function fire(): void {
      cancel();
      work();
    }
    function cancel(): void {
      clearTimeout(timeout);
      timers.delete(timer);
    }
    const timer: Timer = { dueAtMs: scheduled() + ms, isPause, fire, cancel };
    timers.add(timer);
    return cancel;
  }

  return {
    now,
    get offsetMs() {
      return now() - real();
    },
    get isStopped() {
      return stoppedAtMs !== undefined;
    },
    jump(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0 || ms > longestJumpMs) {
        throw new RangeError('A clock jumps by whole milliseconds, from 0 to 100 years.');
      }
      if (stoppedAtMs === undefined) offsetMs += ms;
      else stoppedAtMs += ms;
      jumpedMs += ms;
      change(ms);
      const due = [...timers].filter(({ dueAtMs }) => dueAtMs <= scheduled()).sort((a, b) => a.dueAtMs - b.dueAtMs);
      for (const timer of due) if (timers.has(timer)) timer.fire(); // one may have ended another
    },
    stop(atMs = now()) {
      stoppedAtMs = atMs;
      change(0);
    },
    start() {
      if (stoppedAtMs === undefined) return;
      offsetMs = stoppedAtMs - real();
      stoppedAtMs = undefined;
      change(0);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    every(tick, ms) {
      if (isClosed) return () => {};
      let cancel = wait(ms, again, false);
      function again(): void {
        cancel = wait(ms, again, false);
        tick();
      }
      return () => cancel();
    },
    pause: (ms) => (isClosed ? Promise.resolve() : new Promise((resolve) => void wait(ms, resolve, true))),
    close() {
      isClosed = true;
      for (const timer of [...timers]) timer.isPause ? timer.fire() : timer.cancel();
    },
  };
}
