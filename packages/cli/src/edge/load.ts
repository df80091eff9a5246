export interface LoadOptions {
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

// Two looks in a row decide, so that one long task, such as an import's, refuses nobody. What was refused comes back, so
// the way out lies well below the way in.
const lagMs = { high: 300, low: 100 };
const requests = { high: 1_000, low: 800 };
const looks = 2;

/** Watches the event loop and counts requests. */
export function createLoad({ now = performance.now.bind(performance), every = repeat }: LoadOptions = {}): Load {
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
    const isOpposite = isLate ? lag < lagMs.low : lag > lagMs.high;
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
      if (isFull ? inFlight < requests.low : inFlight >= requests.high) isFull = !isFull;
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
