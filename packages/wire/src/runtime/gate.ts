/** Runs work when its turn has come, and settles as the work does. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export interface GateOptions {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number;
  /** Most work that waits, and the error for work beyond it. Default: all waits. */
  readonly bound?: { readonly waiting: number; readonly full: () => Error };
  /** Called when no work runs or waits any more. */
  readonly idle?: () => void;
}

/** Makes a gate that bounds concurrency. Work that waits begins in the order in which it came. */
export function createGate({ atOnce, bound, idle }: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < atOnce) running++;
    else if (bound && waiting.length >= bound.waiting) throw bound.full();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // passes this place on, so later work does not overtake
      else if (--running === 0) idle?.();
    }
  };
}
