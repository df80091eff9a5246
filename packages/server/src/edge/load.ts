import { type Every, every as repeat } from '@gantry/store';
import type { Limits } from './limits.ts';

export interface LoadOptions {
  readonly limits: Pick<Limits, 'inFlight' | 'lagMs'>;
  /** Milliseconds since an arbitrary moment; steady. */
  readonly now?: () => number;
  readonly every?: Every;
}

/** Load of the process. */
export interface Load {
  /** Requests in progress. */
  readonly inFlight: number;
  /** Delay of the event loop at the last measurement, in seconds. */
  readonly lagSeconds: number;
  /** New work should be refused at once rather than served late. */
  readonly isOverloaded: boolean;
  enter(): void;
  leave(): void;
  close(): void;
}

const measureEveryMs = 100;

// Two measurements in a row decide, so that one long task, such as an import's, refuses no request.
const measurementsToSwitch = 2;
// Refused requests come back, so the threshold out of overload lies well below the one into it.
const calm = { lag: 0.25, inFlight: 0.8 };

/** Measures the event loop's delay and counts requests. */
export function createLoad({ limits, now = performance.now.bind(performance), every = repeat }: LoadOptions): Load {
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
    get inFlight() {
      return inFlight;
    },
    get lagSeconds() {
      return lag / 1000;
    },
    get isOverloaded() {
      if (isFull ? inFlight < limits.inFlight * calm.inFlight : inFlight >= limits.inFlight) isFull = !isFull;
      return isLate || isFull;
    },
    enter() {
      inFlight++;
    },
    leave() {
      inFlight--;
    },
    close: stop,
  };
}
