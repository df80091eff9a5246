/** Work on an input of `size` parts. The input is made before, outside of what is measured. */
export type PreparedWork = () => unknown;

const sizes = [1, 3, 9] as const;
const [rounds, tries, leastMs] = [5, 8, 5];

/**
 * Largest exponent that passes for linear: halfway between linear work, 1, and quadratic work, 2,
 * which is the control of each suite.
 */
export const mostGrowth = 1.5;

/**
 * Measures how CPU time grows with an input: the exponent `e` of `n ** e`.
 *
 * Work on n, 3 n and 9 n takes turns, so that a busy machine slows all three. The quickest of five
 * measurements of at least 5 ms counts for each, and the exponent is the slope of a line through
 * their logarithms (least squares). As long as it is above the bound, five more are taken, 40 in
 * all: neighbours that use the same caches slow most measurements of a large input, but not all.
 *
 * Counts the CPU time of this thread. Work on other threads and in other processes (images,
 * password hashes, PostgreSQL) is not in it: count its statements, rows or calls instead.
 *
 * @param n Parts of the smallest input: enough that fixed costs do not hide the growth, and not
 * such that V8 represents an object of n and one of 9 n members in different ways (steps at 128,
 * about a thousand, and 2,700, from which it has pages of its own), or a list (16,384).
 * @param prepare Makes the input of a given size and returns the work on it. Async work is awaited.
 * @param bound Exponent that the caller asserts, or that its control exceeds.
 * @example
 * const ofText = (size: number) => { const text = 'a'.repeat(size); return () => parse(text); };
 * expect(await growth(1_000, ofText)).toBeLessThan(mostGrowth);
 */
export async function growth(
  n: number,
  prepare: (size: number) => PreparedWork | Promise<PreparedWork>,
  bound = mostGrowth,
): Promise<number> {
  const measured: Measured[] = [];
  for (const times of sizes)
    measured.push({ work: await prepare(times * n), repetitions: 1, quickestMs: Number.POSITIVE_INFINITY });
  let exponent = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && exponent >= bound; count++) exponent = await exponentOf(measured);
  return exponent;
}

interface Measured {
  readonly work: PreparedWork;
  /** As many as took 5 ms when it was measured last. */
  repetitions: number;
  quickestMs: number;
}

async function exponentOf(measured: readonly Measured[]): Promise<number> {
  for (let round = 0; round < rounds; round++) {
    for (const each of measured) each.quickestMs = Math.min(each.quickestMs, await cpuMsOf(each));
  }
  return slope(
    sizes.map(Math.log),
    measured.map(({ quickestMs }) => Math.log(quickestMs)),
  );
}

// Node before 23.9 counts only whole processes.
const cpuUsage = process.threadCpuUsage ?? process.cpuUsage;

async function cpuMsOf(measured: Measured): Promise<number> {
  for (; ; measured.repetitions *= 2) {
    const before = cpuUsage();
    for (let count = 0; count < measured.repetitions; count++) await measured.work();
    const { user, system } = cpuUsage();
    const ms = (user - before.user + system - before.system) / 1_000;
    if (ms >= leastMs) return ms / measured.repetitions;
  }
}

/** Slope of the line through points with the least squares of distances. */
function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const products = xs.map((x, index) => (x - meanX) * ((ys[index] as number) - meanY));
  return mean(products) / mean(xs.map((x) => (x - meanX) ** 2));
}
