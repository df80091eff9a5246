import type { JumpingClock, MachineTime } from '@gantry/lab/jumping-clock';

/** The timer functions of a window. */
export interface TimerScope {
  setTimeout(run: TimerHandler, ms?: number, ...values: unknown[]): number;
  clearTimeout(id?: number): void;
  setInterval(run: TimerHandler, ms?: number, ...values: unknown[]): number;
  clearInterval(id?: number): void;
}

/** Keeps the time and the timers of a window, as they are before anything replaces them. */
export function machineTime(scope: TimerScope & { readonly Date: DateConstructor }): MachineTime<number> {
  const set = scope.setTimeout.bind(scope);
  return {
    now: scope.Date.now.bind(scope.Date),
    elapsed: performance.now.bind(performance),
    set: (fire, ms) => set(fire, ms),
    clear: scope.clearTimeout.bind(scope),
  };
}

/** Ids of our timers: above the browser's, which count from 1. */
const firstId = 2 ** 30;
/** Shortest interval of a browser, once it has run a few times. */
const shortestPeriodMs = 4;

/**
 * Replaces the timers of a window, so that a jump of the clock fires those that become due. Without
 * jumps they run as before. Timers of 0 ms, animation frames and `performance` are not replaced.
 */
export function takeTimers(scope: TimerScope, { elapsed, at }: Pick<JumpingClock, 'elapsed' | 'at'>): void {
  const setNative = scope.setTimeout.bind(scope);
  const clearNative = scope.clearTimeout.bind(scope);
  const timers = new Map<number, () => void>();
  let lastId = firstId;

  function clear(id?: number): void {
    timers.get(id ?? 0)?.();
    timers.delete(id ?? 0);
    clearNative(id);
  }

  scope.setTimeout = (run, ms, ...values) => {
    const delayMs = Number(ms);
    if (typeof run !== 'function' || !(delayMs > 0)) return setNative(run, ms, ...values);
    lastId += 1;
    const id = lastId;
    function fire(): void {
      timers.delete(id);
      (run as (...values: unknown[]) => void)(...values);
    }
    timers.set(id, at(elapsed() + toDelay(delayMs), fire));
    return id;
  };
  scope.setInterval = (run, ms, ...values) => {
    const periodMs = Math.max(toDelay(Number(ms) || 0), shortestPeriodMs);
    lastId += 1;
    const id = lastId;
    let dueMs = elapsed();
    function wait(): void {
      const missed = Math.max(0, Math.floor((elapsed() - dueMs) / periodMs)); // missed ones are skipped
      dueMs += (missed + 1) * periodMs;
      timers.set(id, at(dueMs, fire));
    }
    function fire(): void {
      wait(); // before the call, which may end the interval
      if (typeof run === 'function') run(...values);
      else setNative(run);
    }
    wait();
    return id;
  };
  scope.clearTimeout = clear;
  scope.clearInterval = clear;
}

/** Reads a delay as browsers do: as a whole number of 32 bits. Larger ones become 0. */
function toDelay(ms: number): number {
  return Math.max(0, ms | 0);
}
