import type { Clock } from '@gantry/wire/runtime';

export type Restarts = ReturnType<typeof createRestarts>;

const delaysMs = [250, 1_000, 4_000];
const steadyMs = 30_000;
const steadyBetweenSavesMs = 1_000;

/**
 * Decides when an app that left its document is loaded anew.
 *
 * @param options.isReloadedByTools The app's own dev server reloads its document after each save.
 */
export function createRestarts(options: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly isReloadedByTools?: boolean | undefined;
}) {
  const { clock, isReloadedByTools } = options;
  const restMs = isReloadedByTools ? steadyBetweenSavesMs : steadyMs;
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
      return delaysMs[count - 1];
    },
  };
}
