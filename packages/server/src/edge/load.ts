import type { Limits } from './limits.ts';

export interface LoadOptions {
  readonly limits: Pick<Limits, 'inFlight' | 'lagMs'>;
  /** Milliseconds since an arbitrary moment; steady. */
  readonly now?: () => number;
  /** Calls `tick` every `ms` until the function that it answers is called. */
  readonly every?: (tick: () => void, ms: number) => () => void;
}

/** How busy the process is. */
export interface Load {
  /** Requests that are being worked on. */
  readonly inFlight: number;
  /** How late the event loop was at last look, in seconds. */
  readonly lagSeconds: number;
  /** Whether new work should be refused at once, rather than late. */
  readonly isOverloaded: boolean;
  enter(): void;
  leave(): void;
  close(): void;
}

const lookEveryMs = 100;

// Two looks in a row decide, so that one long task, such as an import's, refuses nobody.
const looks = 2;
// What was refused comes back, so the way out of overload lies well below the way in.
const calm = { lag: 0.25, inFlight: 0.8 };

/** Watches the event loop and counts requests. */
export function createLoad({ limits, now = performance.now.bind(performance), every = repeat }: LoadOptions): Load {
  let inFlight = 0;
  let lag = 0;
  let lookedAtMs = now();
  let streak = 0;
  let isLate = false;
  let isFull = false;

  const stop = every(() => {
    const nowMs = now();
    lag = Math.max(0, nowMs - lookedAtMs - lookEveryMs);
    lookedAtMs = nowMs;
    const isOpposite = isLate ? lag < limits.lagMs * calm.lag : lag > limits.lagMs;
    streak = isOpposite ? streak + 1 : 0;
    if (streak === looks) {
      isLate = !isLate;
      streak = 0;
    }
  }, lookEveryMs);

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

function repeat(tick: () => void, ms: number): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}
