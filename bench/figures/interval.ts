/** An estimate and the interval that has the true value in it, in 95 of 100 such measurements. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Fewest values of which an interval can be given. */
export const leastValues = 6;

/**
 * Returns the centre of values that scatter about it: the median of the means of every two of them
 * (Hodges and Lehmann), with the interval of Wilcoxon's signed ranks. It assumes no distribution,
 * and a few values from a moment in which other programs ran hardly move it.
 *
 * @throws RangeError for fewer than 6 values.
 */
export function centreOf(values: readonly number[]): Interval {
  if (values.length < leastValues) throw new RangeError(`An interval needs ${leastValues} values or more.`);
  const means = values
    .flatMap((first, index) => values.slice(index).map((second) => (first + second) / 2))
    .sort((a, b) => a - b);
  const outside = ranksOutside(values.length);
  return {
    estimate: median(means),
    low: means[outside] as number,
    high: means.at(-1 - outside) as number,
  };
}

/** Returns the centre of the ratios of pairs, which scatter in their logarithms. */
export function ratioOf(values: readonly number[], references: readonly number[]): Interval {
  const { estimate, low, high } = centreOf(
    values.map((value, index) => Math.log(value) - Math.log(references[index] as number)),
  );
  return { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [number, number];
  return (lower + upper) / 2;
}

/**
 * Returns the largest sum of signed ranks that `n` values without an effect stay below or reach
 * with a probability of 2.5 % at most: one side of Wilcoxon's table for 5 %.
 */
export function ranksOutside(n: number): number {
  let ways = [1]; // in which ranks give each sum
  for (let rank = 1; rank <= n; rank++) {
    const before = ways;
    ways = Array.from({ length: before.length + rank }, (_, sum) => (before[sum] ?? 0) + (before[sum - rank] ?? 0));
  }
  let count = 0;
  const sum = ways.findIndex((one) => {
    count += one;
    return count > 0.025 * 2 ** n;
  });
  return sum - 1;
}
