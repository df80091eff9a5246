import type { Every } from '@gantry/store';
import { type ClockState, createJumpingClock } from './jumping-clock.ts';

/**
 * Time of a lab, in two parts. *Time* is what `now` returns: the system's, moved by jumps, or
 * stopped at an instant. *Scheduling* is when timers fire: that never stops, since a page whose
 * timers stand still never loads. Timers that a jump makes due fire after the present task.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by which time is ahead of the system's. */
  readonly offsetMs: number;
  readonly isStopped: boolean;
  /** Followed by pages and frames. */
  readonly state: ClockState;
  /**
   * Moves time forward. A repeated timer that became due several times fires once.
   *
   * @throws RangeError for anything but a whole number of milliseconds from 0 to 100 years.
   */
  jump(ms: number): void;
  /**
   * Stops time, at this moment or at `atMs`. Timers go on. A later moment is a jump.
   *
   * @throws RangeError for anything but a whole number of milliseconds since the epoch that a
   * `Date` can hold.
   */
  stop(atMs?: number): void;
  /** Restarts time from where it stopped. */
  start(): void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: (change: ClockChange) => void): () => void;
  /** Calls `tick` every `ms`, until the returned function is called. Keeps no process alive. */
  readonly every: Every;
  /** Resolves after `ms`. */
  pause(ms: number): Promise<void>;
  /** Ends all timers, and resolves each `pause` at once. */
  close(): void;
}

export interface ClockChange {
  readonly jumpMs: number;
  readonly isStopped: boolean;
}

function startTimer(fire: () => void, ms: number, isIdle: boolean): NodeJS.Timeout {
  const timer = setTimeout(fire, ms);
  return isIdle ? timer.unref() : timer;
}

const longestJumpMs = 100 * 365 * 24 * 60 * 60_000;
const latestMs = 8.64e15; // the maximum of a `Date`

/**
 * Makes a clock that runs with the system's.
 *
 * @param options.startMs Time at the start. Default: now.
 * @param options.real The system's clock.
 */
export function createClock(
  options: { readonly startMs?: number | undefined; readonly real?: () => number } = {},
): Clock {
  const { startMs, real = Date.now } = options;
  const time = createJumpingClock(
    { now: real, elapsed: () => performance.now(), set: startTimer, clear: clearTimeout },
    { aheadMs: startMs === undefined ? 0 : startMs - real() },
  );
  let isClosed = false;
  const endings = new Set<() => void>();
  const listeners = new Set<(change: ClockChange) => void>();

  const { now } = time;
  const isStopped = (): boolean => time.state.stoppedAtMs !== undefined;

  function set(state: ClockState): void {
    const change = { jumpMs: time.set(state), isStopped: state.stoppedAtMs !== undefined };
    for (const listener of [...listeners]) listener(change);
  }

  /** Returns a function that calls `end` once. `close` calls it too. */
  function ending(end: () => void): () => void {
    const once = (): void => {
      if (endings.delete(once)) end();
    };
    endings.add(once);
    return once;
  }

  return {
    now,
    get offsetMs() {
      return now() - real();
    },
    get isStopped() {
      return isStopped();
    },
    get state() {
      return time.state;
    },
    jump(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0 || ms > longestJumpMs) {
        throw new RangeError('A clock jumps by whole milliseconds, from 0 to 100 years.');
      }
      const { aheadMs, stoppedAtMs } = time.state;
      set(stoppedAtMs === undefined ? { aheadMs: aheadMs + ms } : { aheadMs, stoppedAtMs: stoppedAtMs + ms });
    },
    stop(atMs = now()) {
      if (!Number.isSafeInteger(atMs) || Math.abs(atMs) > latestMs) {
        throw new RangeError('A clock stops at a whole number of milliseconds since the epoch.');
      }
      set({ aheadMs: time.state.aheadMs, stoppedAtMs: atMs });
    },
    start() {
      if (isStopped()) set({ aheadMs: now() - real() });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    every(tick, ms) {
      if (isClosed) return () => {};
      let cancel = (): void => {};
      function wait(): void {
        cancel = time.at(time.elapsed() + ms, again, { isIdle: true });
      }
      function again(): void {
        wait();
        tick();
      }
      wait();
      return ending(() => cancel());
    },
    async pause(ms) {
      if (isClosed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = ending(() => {
        cancel();
        resolve();
      });
      const cancel = time.at(time.elapsed() + ms, end);
      await promise;
    },
    close() {
      isClosed = true;
      for (const end of [...endings]) end();
    },
  };
}
