const longestRestMs = 1_000;

/**
 * Makes a function that runs `work` soon: once for all calls of a tick, and for at most a tenth of
 * the time, so that the page stays responsive.
 */
export function throttled(work: () => void, now = () => performance.now()): () => void {
  let isDue = false;
  let restUntilMs = Number.NEGATIVE_INFINITY;

  function run(): void {
    isDue = false;
    const startMs = now();
    work();
    const endMs = now();
    restUntilMs = endMs + Math.min(9 * (endMs - startMs), longestRestMs);
  }
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(run, Math.max(0, restUntilMs - now()));
  };
}
