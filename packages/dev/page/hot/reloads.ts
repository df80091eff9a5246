import type { GadgetElement } from '@gantry/lab/page';

const gatherMs = 20;
const pauseMs = 100;

/** Reloads gadgets at most once in 100 ms each: a save often has several reasons. None is lost. */
export function createReloads(options: {
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}) {
  const { now, after } = options;
  const waiting = new Set<GadgetElement>();
  const reloadedAt = new WeakMap<GadgetElement, number>();
  return {
    ask(gadget: GadgetElement): void {
      if (waiting.has(gadget)) return;
      waiting.add(gadget);
      const sinceMs = now() - (reloadedAt.get(gadget) ?? Number.NEGATIVE_INFINITY);
      after(Math.max(gatherMs, pauseMs - sinceMs), () => {
        waiting.delete(gadget);
        if (!gadget.isConnected) return;
        reloadedAt.set(gadget, now());
        gadget.reload();
      });
    },
  };
}
