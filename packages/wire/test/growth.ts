/** Work on an input of `size` parts, made outside of the measured time. */
export type PreparedWork = () => unknown;

const leastMs = 20;
const [leastRounds, rounds, mostRounds] = [2, 5, 15];

/**
 * Measures how CPU time grows with an input: time at 8 n over time at n.
 *
 * Linear work gives about 8, quadratic about 64; a cost test asserts at most {@link mostGrowth}.
 * Each measurement repeats its work until it took 20 ms, and the quickest of all rounds counts, so
 * that a busy machine does not decide: two rounds where the growth is well below the bound, five
 * where it is near, fifteen where it is above.
 *
 * @param n Parts of the smaller input: large enough that fixed costs do not hide the growth.
 * @param prepare Makes the input of a given size and returns the work on it. Async work is awaited.
 * @param bound Growth that the caller asserts. Quadratic work is five times above what counts as
 * well below it.
 * @example
 * const ofText = (size: number) => { const text = 'a'.repeat(size); return () => parse(text); };
 * expect(await growth(1_000, ofText)).toBeLessThan(mostGrowth);
 */
export async function growth(
  n: number,
  prepare: (size: number) => PreparedWork | Promise<PreparedWork>,
  bound = mostGrowth,
): Promise<number> {
  const small = await prepare(n);
  const large = await prepare(8 * n);
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= mostRounds; round++) {
    smallMs = Math.min(smallMs, await cpuMsOf(small));
    largeMs = Math.min(largeMs, await cpuMsOf(large));
    const ratio = largeMs / smallMs;
    const enough = ratio < wellBelow * bound ? leastRounds : ratio < bound ? rounds : mostRounds;
    if (round >= enough) break;
  }
  return largeMs / smallMs;
}

const wellBelow = 0.6;

/**
 * Growth over eight times the input that still passes for linear. Quadratic work, the control of
 * each suite, is above it.
 */
export const mostGrowth = 20;

async function cpuMsOf(work: PreparedWork): Promise<number> {
  const start = process.cpuUsage();
  for (let times = 1; ; times++) {
    await work();
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1_000;
    if (ms >= leastMs) return ms / times;
  }
}
