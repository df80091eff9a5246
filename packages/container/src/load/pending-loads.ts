import type { Clock } from '@gantry/wire/runtime';

export type PendingLoads = ReturnType<typeof createPendingLoads>;

// Real time, even if a tool stops the clock.
const quietMs = 1_000;
const paintMs = 100; // from an app's welcome to the paint of its data

export function createPendingLoads(clock: Pick<Clock, 'elapsed' | 'after'>) {
  let coming = 0;
  let isStarting = true; // until all apps of the page's start have painted
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
      function leave(afterwards: (done: () => void) => void): void {
        stopTimer();
        if (!isComing) return;
        isComing = false;
        afterwards(() => {
          coming -= 1;
          if (coming > 0) return;
          isStarting = false;
          release();
        });
      }
      return {
        ready() {
          lastReadyMs = clock.elapsed();
          leave((done) => {
            if (isStarting) afterPaint(done);
            else done();
          });
        },
        end: () => leave((done) => done()),
      };
    },
    /**
     * Resolves when no load is pending and, as a page starts, the last app has had time to paint,
     * or after a second, so that later parts delay neither.
     */
    whenLoaded(): Promise<void> {
      return new Promise((resolve) => {
        if (coming === 0) resolve();
        else if (waiting.push(resolve) === 1) setTimeout(release, quietMs);
      });
    },
  };
}

/** Calls `done` when an app that is ready now has painted and the page's main thread rests. */
function afterPaint(done: () => void): void {
  const { requestIdleCallback = setTimeout } = globalThis; // absent in Safari and in Node
  setTimeout(() => requestIdleCallback(done), paintMs);
}
