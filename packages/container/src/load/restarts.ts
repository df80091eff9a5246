import type { Clock } from '@gantry/wire';

/** Decides when an app that left its document is loaded anew. */
export interface Restarts {
  /** Forgets the past once the app runs steadily. */
  ready(): void;
  /** Returns the milliseconds to wait; undefined for an app that does not come to rest. */
  next(): number | undefined;
}

const delaysMs = [250, 1_000, 4_000];
const steadyMs = 30_000;
// Authors save often, and tools reload from within: only an app that never rests is stopped.
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
