/** One load of an app that is on its way. */
export interface Arrival {
  ready(): void;
  end(): void;
}

const quietMs = 1_000;

let coming = 0;
let lastReadyMs = 0;
let waiting: (() => void)[] = [];

/**
 * A load begins.
 *
 * @param startMs How long it may take. A page of many gets them one by one, so time counts from when the last of all was ready.
 * @param onLate It took longer.
 */
export function arrive(startMs: number, onLate: () => void): Arrival {
  let isComing = true;
  let timer = setTimeout(look, startMs);
  coming += 1;

  function look(): void {
    const leftMs = lastReadyMs + startMs - performance.now();
    if (leftMs > 0) timer = setTimeout(look, leftMs);
    else onLate();
  }
  function end(): void {
    clearTimeout(timer);
    if (!isComing) return;
    isComing = false;
    coming -= 1;
    if (coming === 0) release();
  }
  return {
    ready() {
      lastReadyMs = performance.now();
      end();
    },
    end,
  };
}

/** Resolves when no load is on its way, or after a second: what is needed only then must not take the time of those that come. */
export function whenArrived(): Promise<void> {
  return new Promise((resolve) => {
    if (coming === 0) resolve();
    else if (waiting.push(resolve) === 1) setTimeout(release, quietMs);
  });
}

function release(): void {
  const released = waiting;
  waiting = [];
  for (const resolve of released) resolve();
}
