import type { LabEvent } from '@gantry/lab/record';

/** Reports an event. `make` is called only if it will be sent: constant errors stay cheap. */
export type Report = (make: () => LabEvent) => void;

const burst = 60;
const perSecond = 20;
const quietMs = 1_000;

/**
 * Makes a `Report` with a burst of 60 and 20 a second after that, which counts what it drops.
 *
 * @param options.now Milliseconds since any moment.
 * @param options.after Calls a function later.
 */
export function createReport(options: {
  readonly send: (event: LabEvent) => void;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}): Report {
  const { send, now, after } = options;
  let allowance = burst;
  let countedAtMs = now();
  let leftOut = 0;

  function sayLeftOut(): void {
    send({ kind: 'left-out', count: leftOut });
    leftOut = 0;
  }

  return (make) => {
    const nowMs = now();
    allowance = Math.min(burst, allowance + ((nowMs - countedAtMs) / 1_000) * perSecond);
    countedAtMs = nowMs;
    if (allowance < 1) {
      leftOut += 1;
      if (leftOut === 1) after(quietMs, sayLeftOut);
      return;
    }
    allowance -= 1;
    try {
      send(make());
    } catch {
      leftOut += 1; // a getter of the app threw
      if (leftOut === 1) after(quietMs, sayLeftOut);
    }
  };
}
