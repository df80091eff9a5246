import type { Clock } from '@gantry/wire';

/** Says how long to wait before an app that left its document is loaded anew, and when that has been enough. */
export interface Restarts {
  /** The app runs: after a steady while its past is forgotten. */
  ready(): void;
  /** Milliseconds to wait; `undefined` when the app does not come to rest. */
  next(): number | undefined;
}

const delaysMs = [250, 1_000, 4_000];
const steadyMs = 30_000;
// An author saves often, and tools reload from within. Only an app that never comes to rest is stopped.
const developmentDelaysMs = Array.from({ length: 20 }, () => 0);
const developmentSteadyMs = 500;

export function createRestarts(options: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly isDevelopment?: boolean | undefined;
}): Restarts {
  const { clock, isDevelopment } = options;
  const [delays, restMs] = isDevelopment ? [developmentDelaysMs, developmentSteadyMs] : [delaysMs, steadyMs];
  let count = 0;
  let readyAtMs: number | undefined;

  return {
    ready() {
      readyAtMs = clock.elapsed();
    },
    next() {
      if (readyAtMs !== undefined && clock.elapsed() - readyAtMs >= restMs) count = 0;
      readyAtMs = undefined;
      count += 1;
      return delays[count - 1];
    },
  };
}
