/**
 * A measurement: one call runs the work once and resolves with its cost per operation, in any unit.
 */
export type Contestant = () => Promise<number>;

/**
 * Measures contestants in interleaved rounds, so that other load on the machine affects all alike.
 *
 * @returns The median cost of each, in order.
 */
export async function medians(contestants: readonly Contestant[], rounds: number): Promise<number[]> {
  const costs: number[][] = contestants.map(() => []);
  for (const contestant of contestants) await contestant(); // warm
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) (costs[index] as number[]).push(await contestant());
  }
  return costs.map(median);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
