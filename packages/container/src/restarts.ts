/** Says how long to wait before an app that left its document is loaded anew, and when that has been enough. */
export interface Restarts {
  /** The app runs: after a steady while its past is forgotten. */
  ready(): void;
  /** Milliseconds to wait; `undefined` when the app does not come to rest. */
  next(): number | undefined;
}

const delaysMs = [250, 1_000, 4_000];
const steadyMs = 30_000;

/** @param now Milliseconds since whenever. */
export function createRestarts(now: () => number): Restarts {
  let count = 0;
  let readyAtMs: number | undefined;

  return {
    ready() {
      readyAtMs = now();
    },
    next() {
      if (readyAtMs !== undefined && now() - readyAtMs >= steadyMs) count = 0;
      readyAtMs = undefined;
      count += 1;
      return delaysMs[count - 1];
    },
  };
}
