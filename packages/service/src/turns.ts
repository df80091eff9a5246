export interface TurnOptions {
  readonly now?: () => number;
  readonly nextTurn?: (callback: () => void) => void;
}

/** Milliseconds of work in one turn of the event loop. */
const longestMs = 10;

/** Those that wait and may begin in one turn, if they are short. */
const mostInTurn = 16;

/**
 * Creates the function that spreads work over turns of the event loop, in order. Work that needs no
 * turn itself, such as SQLite reads, runs one after the other while the turn is young: requests
 * whose nonces were stored together would all be answered in one. The rest begins in later turns.
 */
export function createTurns({
  now = performance.now.bind(performance),
  nextTurn = setImmediate,
}: TurnOptions = {}): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let beganAtMs: number | undefined;
  let isBusy = false;

  function isYoung(): boolean {
    if (beganAtMs === undefined) {
      beganAtMs = now();
      nextTurn(begin);
    }
    return now() - beganAtMs <= longestMs;
  }

  function begin(): void {
    beganAtMs = undefined;
    isBusy = false; // with PostgreSQL work outlasts a turn
    // Each in a callback of its own: what it starts has run when the next is looked at.
    for (let count = Math.min(waiting.length, mostInTurn); count > 0; count--) nextTurn(admit);
  }

  function admit(): void {
    if (waiting.length > 0 && isYoung()) waiting.shift()?.();
  }

  return async (work) => {
    if (waiting.length > 0 || isBusy || !isYoung()) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
      admit();
    }
  };
}
