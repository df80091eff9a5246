// Time of a lab in all places that follow it: the site in Node, the page, and the frame of an app.

/** Time of a lab as data. `stoppedAtMs`, if present, is the time. */
export interface ClockState {
  /** Milliseconds by which time is ahead of the machine's. */
  readonly aheadMs: number;
  /** Milliseconds since the epoch. Absent: time goes on. */
  readonly stoppedAtMs?: number;
}

export interface MachineTime<Handle> {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since any moment; never goes back. */
  elapsed(): number;
  /** @param isIdle The timer keeps no process alive. */
  set(fire: () => void, ms: number, isIdle: boolean): Handle;
  clear(handle: Handle): void;
}

/**
 * A clock that can jump. *Time* (`now`) stops and jumps. *Scheduling* (`elapsed`, and the timers
 * that go by it) never stops, since a page whose timers stand still never loads; it jumps with
 * time.
 */
export interface JumpingClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since any moment; never goes back and never stops. */
  elapsed(): number;
  /** Calls `fire` once `elapsed` has reached `dueMs`. The returned function cancels it. */
  at(dueMs: number, fire: () => void, options?: { readonly isIdle?: boolean }): () => void;
  readonly state: ClockState;
  /**
   * Sets the time. Timers move as far as time moves forward: those that are due then fire soon, in
   * their order and each as a task of its own. Time that is set back moves no timer.
   *
   * @param options.isBeginning The document has just loaded: no time has passed, so no timer moves.
   * @returns Milliseconds by which the timers moved.
   */
  set(state: ClockState, options?: { readonly isBeginning?: boolean }): number;
}

/** Browsers and Node fire a longer timer at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Makes a clock that can jump, at first at `state`. Default: the machine's time. */
export function createJumpingClock<Handle>(
  machine: MachineTime<Handle>,
  state: ClockState = { aheadMs: 0 },
): JumpingClock {
  const timers = new Set<{ readonly dueMs: number; arm(): void; disarm(): void }>();
  let current = state;
  let jumpedMs = 0;
  const now = (): number => current.stoppedAtMs ?? machine.now() + current.aheadMs;
  const elapsed = (): number => machine.elapsed() + jumpedMs;

  return {
    now,
    elapsed,
    at(dueMs, fire, { isIdle = false } = {}) {
      let handle: Handle;
      function arm(): void {
        handle = machine.set(check, Math.min(longestTimeoutMs, Math.max(0, dueMs - elapsed())), isIdle);
      }
      function check(): void {
        // More than the rounding of a machine's timer: the wait is longer than one timer can be.
        if (dueMs - elapsed() > 1) arm();
        else {
          timers.delete(timer);
          fire();
        }
      }
      const timer = { dueMs, arm, disarm: () => machine.clear(handle) };
      arm();
      timers.add(timer);
      return () => {
        timers.delete(timer);
        timer.disarm();
      };
    },
    get state() {
      return current;
    },
    set(next, { isBeginning = false } = {}) {
      const beforeMs = now();
      current = next;
      const jumpMs = isBeginning ? 0 : Math.max(0, now() - beforeMs);
      jumpedMs += jumpMs;
      if (jumpMs === 0) return 0;
      for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs)) {
        timer.disarm();
        timer.arm();
      }
      return jumpMs;
    },
  };
}
