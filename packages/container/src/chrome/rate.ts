/** Lets `count` through in each `perMs`, and says no to more. */
export function createRate(options: {
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
