import type { Clock } from '@gantry/wire';

export type Restarts = ReturnType<typeof createRestarts>;

const delaysMs = [250, 1_000, 4_000];
const steadyMs = 30_000;
// Authors save often, and tools reload from within: only an app that never rests is stopped.
const developmentDelaysMs = Array.from({ length: 20 }, () => 0);
const developmentSteadyMs = 500;

/** Decides when an app that left its document is loaded anew. */
export function createRestarts(options: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly isDevelopment?: boolean | undefined;
}) {
  const { clock, isDevelopment } = options;
  const [delays, restMs] = isDevelopment ? [developmentDelaysMs, developmentSteadyMs] : [delaysMs, steadyMs];
  let count = 0;
  let readyAtMs: number | undefined;

  return {
    /** Forgets the past once the app runs steadily. */
    ready(): void {
      readyAtMs = clock.elapsed();
    },
    /** Returns the milliseconds to wait; undefined for an app that does not come to rest. */
    next(): number | undefined {
      if (readyAtMs !== undefined && clock.elapsed() - readyAtMs >= restMs) count = 0;
      readyAtMs = undefined;
      count += 1;
      return delays[count - 1];
    },
  };
}
