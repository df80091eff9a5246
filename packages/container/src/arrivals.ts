import type { Clock } from '@gantry/wire';

/** One load of an app that is on its way. */
export interface Arrival {
  ready(): void;
  end(): void;
}

/** The loads of a page that are on their way. */
export interface Arrivals {
  /**
   * A load begins.
   *
   * @param startMs How long it may take. A page of many gets them one by one, so time counts from when the last of all was ready.
   * @param onLate It took longer.
   */
  arrive(startMs: number, onLate: () => void): Arrival;
  /** Resolves when no load is on its way, or after a second: what is needed only then must not take the time of those that come. */
  whenArrived(): Promise<void>;
}

const quietMs = 1_000; // of the machine: what comes later comes also while a tool's clock stands still

export function createArrivals(clock: Pick<Clock, 'elapsed' | 'after'>): Arrivals {
  let coming = 0;
  let lastReadyMs = 0;
  let waiting: (() => void)[] = [];

  function release(): void {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  }

  return {
    arrive(startMs, onLate) {
      let isComing = true;
      let stopTimer = clock.after(startMs, look);
      coming += 1;

      function look(): void {
        const leftMs = lastReadyMs + startMs - clock.elapsed();
        if (leftMs > 0) stopTimer = clock.after(leftMs, look);
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
    whenArrived() {
      return new Promise((resolve) => {
        if (coming === 0) resolve();
        else if (waiting.push(resolve) === 1) setTimeout(release, quietMs);
      });
    },
  };
}
