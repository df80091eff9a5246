const longestRestMs = 1_000;

/**
 * Makes a function that has `work` done soon: once for all calls of a tick, and for at most a tenth of the time. After work
 * that took long the next waits, so that the page can do other things however often it is called.
 *
 * @param now Milliseconds from any start.
 */
export function paced(work: () => void, now = () => performance.now()): () => void {
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
