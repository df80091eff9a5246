/** Work on an input of `size` parts, made outside of the measured time. */
export type PreparedWork = () => unknown;

const leastMs = 50;
const rounds = 5;
const mostRounds = 15;

/**
 * Measures how CPU time grows with an input: time at 8 n over time at n.
 *
 * Linear work gives about 8, quadratic about 64; a cost test asserts at most {@link mostGrowth}. Each measurement repeats
 * its work until it took 50 ms, and the quickest of five counts, of fifteen where five say that the work grows too fast: so
 * a busy machine does not decide.
 *
 * @param n Parts of the smaller input: large enough that fixed costs do not hide the growth.
 * @param prepare Makes the input of a given size and returns the work on it. Async work is awaited.
 * @example
 * expect(await growth(1_000, (size) => { const text = 'a'.repeat(size); return () => parse(text); })).toBeLessThan(mostGrowth);
 */
export async function growth(
  n: number,
  prepare: (size: number) => PreparedWork | Promise<PreparedWork>,
): Promise<number> {
  const small = await prepare(n);
  const large = await prepare(8 * n);
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds || (round < mostRounds && largeMs / smallMs >= mostGrowth); round++) {
    smallMs = Math.min(smallMs, await cpuMsOf(small));
    largeMs = Math.min(largeMs, await cpuMsOf(large));
  }
  return largeMs / smallMs;
}

/** Growth over eight times the input that still passes for linear. Quadratic work, the control of each suite, is above it. */
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
