import { type Every, every as repeat } from '@gantry/store';
import type { Limits } from './limits.ts';

export interface LoadOptions {
  readonly limits: Pick<Limits, 'inFlight' | 'lagMs'>;
  /** Milliseconds since an arbitrary moment; steady. */
  readonly now?: () => number;
  readonly every?: Every;
}

export type Load = ReturnType<typeof createLoad>;

const measureEveryMs = 100;

// Two measurements in a row decide, so that one long task, such as an import's, refuses no request.
const measurementsToSwitch = 2;
// Refused requests come back, so the threshold out of overload lies well below the one into it.
const calm = { lag: 0.25, inFlight: 0.8 };

/** Measures the event loop's delay and counts requests. */
export function createLoad({ limits, now = performance.now.bind(performance), every = repeat }: LoadOptions) {
  let inFlight = 0;
  let lag = 0;
  let measuredAtMs = now();
  let streak = 0;
  let isLate = false;
  let isFull = false;

  const stop = every(() => {
    const nowMs = now();
    lag = Math.max(0, nowMs - measuredAtMs - measureEveryMs);
    measuredAtMs = nowMs;
    const isOpposite = isLate ? lag < limits.lagMs * calm.lag : lag > limits.lagMs;
    streak = isOpposite ? streak + 1 : 0;
    if (streak === measurementsToSwitch) {
      isLate = !isLate;
      streak = 0;
    }
  }, measureEveryMs);

  return {
    get inFlight(): number {
      return inFlight;
    },
    /** Delay of the event loop at the last measurement, in seconds. */
    get lagSeconds(): number {
      return lag / 1000;
    },
    /** New work should be refused at once rather than served late. */
    get isOverloaded(): boolean {
      if (isFull ? inFlight < limits.inFlight * calm.inFlight : inFlight >= limits.inFlight) isFull = !isFull;
      return isLate || isFull;
    },
    enter(): void {
      inFlight++;
    },
    leave(): void {
      inFlight--;
    },
    close: stop,
  };
}
