interface Requested {
  readonly height: number;
  readonly atMs: number;
}

const quietMs = 1_000; // a loop stops when nothing resizes; a request after a pause is meant
const swingMs = 1_000;
const growthMs = 200; // between two steps
const growthSteps = 12;

/**
 * Detects an app whose content follows its frame's height and the frame the content's: A-B-A-B
 * within a second, or a dozen prompt, equal steps upwards (in pixels or in proportion); pictures or
 * replies that arrive one by one grow unevenly. The larger height is held until the app has
 * requested none for a second.
 *
 * @param now Milliseconds of a clock that never goes back.
 */
export function createResizeLoop(now: () => number) {
  let past: readonly Requested[] = []; // at most as many as make `growthSteps`
  let frozen: number | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;

  function isSwing(): boolean {
    const [a, b, c, d] = past.slice(-4);
    return d !== undefined && a?.height === c?.height && b?.height === d.height && d.atMs - (a?.atMs ?? 0) <= swingMs;
  }

  function isGrowth(): boolean {
    if (past.length <= growthSteps) return false;
    const steps = past.slice(1).map((after, index) => [past[index] as Requested, after] as const);
    const isPrompt = steps.every(
      ([before, after]) => after.height > before.height && after.atMs - before.atMs <= growthMs,
    );
    const added = steps.map(([before, after]) => after.height - before.height);
    const factors = steps.map(([before, after]) => after.height / before.height);
    return isPrompt && (isEven(added, 1) || isEven(factors, 0.01));
  }

  return {
    /**
     * @param height Requested height in CSS pixels.
     * @returns Height to apply. `isFound` is true once, when a loop has just been found.
     */
    next(height: number): { readonly height: number; readonly isFound: boolean } {
      const atMs = now();
      if (atMs - lastMs > quietMs) frozen = undefined;
      lastMs = atMs;
      if (frozen !== undefined) return { height: frozen, isFound: false };
      if (height !== past.at(-1)?.height) past = [...past.slice(-growthSteps), { height, atMs }];
      if (!isSwing() && !isGrowth()) return { height, isFound: false };
      frozen = Math.max(height, past.at(-2)?.height ?? 0);
      past = [];
      return { height: frozen, isFound: true };
    },
  };
}

function isEven(values: readonly number[], tolerance: number): boolean {
  return Math.max(...values) - Math.min(...values) <= tolerance;
}
