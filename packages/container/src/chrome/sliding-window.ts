/**
 * Makes a limit of `count` in any stretch of `perMs`. The returned function is false for more.
 *
 * A token bucket would let twice as many through: a full one at once, and as many as it regains.
 */
export function createSlidingWindow(options: {
  readonly count: number;
  readonly perMs: number;
  readonly now: () => number;
}): () => boolean {
  const { count, perMs, now } = options;
  let past: number[] = [];
  return () => {
    past = past.filter((atMs) => now() - atMs < perMs);
    if (past.length >= count) return false;
    past.push(now());
    return true;
  };
}
