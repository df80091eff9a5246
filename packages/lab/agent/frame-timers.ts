/** The timer functions of a window. */
export interface TimerScope {
  setTimeout(run: TimerHandler, ms?: number, ...values: unknown[]): number;
  clearTimeout(id?: number): void;
  setInterval(run: TimerHandler, ms?: number, ...values: unknown[]): number;
  clearInterval(id?: number): void;
}

interface Timer {
  /** The browser's own id, which changes when the timer is set again; the app knows the first one. */
  native: number;
  dueMs: number;
  readonly fire: () => void;
}

/**
 * Takes over the timers of a window, so that a jump of the clock can let those fire that became due. Timers run as ever
 * otherwise: time is moved, never stopped. Timers of 0 ms are left alone.
 *
 * @param now Milliseconds since any moment, which no jump moves.
 * @returns Lets time jump ahead: each timer that became due fires once, in their order, and the others come earlier.
 */
export function takeTimers(scope: TimerScope, now: () => number): (jumpMs: number) => void {
  const setNative = scope.setTimeout.bind(scope);
  const clearNative = scope.clearTimeout.bind(scope);
  const timers = new Map<number, Timer>();

  function start(ms: number, run: (again: (ms: number) => void) => void): number {
    let id = 0;
    const timer: Timer = { native: 0, dueMs: 0, fire };
    function set(delayMs: number): void {
      timer.dueMs += delayMs;
      timer.native = setNative(fire, Math.max(0, timer.dueMs - now()));
    }
    function fire(): void {
      let isSetAgain = false;
      run((nextMs) => {
        isSetAgain = true;
        timer.dueMs = Math.max(timer.dueMs, now() - nextMs);
        set(nextMs);
      });
      if (!isSetAgain) timers.delete(id);
    }
    timer.dueMs = now();
    set(ms);
    id = timer.native;
    timers.set(id, timer);
    return id;
  }
  function clear(id?: number): void {
    const timer = id === undefined ? undefined : timers.get(id);
    clearNative(timer ? timer.native : id);
    if (timer) timers.delete(id as number);
  }

  scope.setTimeout = (run, ms, ...values) => {
    const delayMs = Number(ms);
    if (typeof run !== 'function' || !(delayMs > 0)) return setNative(run, ms, ...values);
    return start(delayMs, () => run(...values));
  };
  scope.setInterval = (run, ms, ...values) => {
    const periodMs = Math.max(Number(ms) || 0, 4);
    const call = (): void => void (typeof run === 'function' ? run(...values) : setNative(run));
    return start(periodMs, (again) => {
      again(periodMs); // first: the function may clear it
      call();
    });
  };
  scope.clearTimeout = clear;
  scope.clearInterval = clear;

  return (jumpMs) => {
    if (!(jumpMs > 0)) return;
    const nowMs = now();
    for (const timer of [...timers.values()].sort((a, b) => a.dueMs - b.dueMs)) {
      clearNative(timer.native);
      timer.dueMs = Math.max(timer.dueMs - jumpMs, nowMs);
      timer.native = setNative(timer.fire, timer.dueMs - nowMs);
    }
  };
}
