import type { Clock } from '@gantry/wire/runtime';

export type PendingLoads = ReturnType<typeof createPendingLoads>;

const quietMs = 1_000; // real time, even if a tool stops the clock

export function createPendingLoads(clock: Pick<Clock, 'elapsed' | 'after'>) {
  let coming = 0;
  let lastReadyMs = 0;
  let waiting: (() => void)[] = [];

  function release(): void {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  }

  return {
    /**
     * Adds a load.
     *
     * @param startMs Time until `onLate`. Counts anew whenever another load is ready.
     */
    add(startMs: number, onLate: () => void): { ready(): void; end(): void } {
      let isComing = true;
      let stopTimer = clock.after(startMs, checkTime);
      coming += 1;

      function checkTime(): void {
        const leftMs = lastReadyMs + startMs - clock.elapsed();
        if (leftMs > 0) stopTimer = clock.after(leftMs, checkTime);
        else onLate();
      }
      function end(): void {
        stopTimer();
        if (!isComing) return;
        isComing = false;
        coming -= 1;
        if (coming === 0) release();
      }
      return {
        ready() {
          lastReadyMs = clock.elapsed();
          end();
        },
        end,
      };
    },
    /**
     * Resolves when no load is pending, or after a second, so that later parts do not delay loads.
     */
    whenLoaded(): Promise<void> {
      return new Promise((resolve) => {
        if (coming === 0) resolve();
        else if (waiting.push(resolve) === 1) setTimeout(release, quietMs);
      });
    },
  };
}
