/** Time of a lab on its page: the machine's, ahead by as much as the lab is. */
export interface LabClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from any start; never goes back. */
  elapsed(): number;
  /** Calls `callback` once `ms` of the lab's time have passed. The returned function takes it back. */
  after(ms: number, callback: () => void): () => void;
  random(): number;
  bytes(length: number): Uint8Array<ArrayBuffer>;
  /** Sets how far the lab is ahead. What is due by then runs at once, in its order. */
  setAhead(ms: number): void;
}

interface Waiting {
  readonly dueMs: number;
  readonly callback: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const longestMs = 2 ** 31 - 1; // a longer timer of a browser runs at once

/** @param machine.now Milliseconds since the epoch. */
export function createLabClock({ now = Date.now } = {}): LabClock {
  const waiting = new Set<Waiting>();
  let aheadMs = 0;
  const labNow = (): number => now() + aheadMs;

  function arm(one: Waiting): void {
    one.timer = setTimeout(() => check(one), Math.min(longestMs, Math.max(0, one.dueMs - labNow())));
  }

  function check(one: Waiting): void {
    if (labNow() < one.dueMs) {
      arm(one); // a timer may come a moment early
      return;
    }
    waiting.delete(one);
    one.callback();
  }

  return {
    now: labNow,
    elapsed: labNow,
    after(ms, callback) {
      const one: Waiting = { dueMs: labNow() + ms, callback, timer: undefined };
      waiting.add(one);
      arm(one);
      return () => {
        waiting.delete(one);
        clearTimeout(one.timer);
      };
    },
    random: Math.random,
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    setAhead(ms) {
      aheadMs = ms;
      for (const one of [...waiting].sort((a, b) => a.dueMs - b.dueMs)) {
        clearTimeout(one.timer);
        arm(one);
      }
    },
  };
}
