/** Cost of one operation, in one unit: of the clock, and of the processors where it can be read. */
export interface Cost {
  readonly wall: number;
  readonly cpu?: number | undefined;
}

/** Runs the work once and resolves with its cost per operation. */
export type Contestant = () => Promise<Cost>;

/**
 * Measures contestants by turns, so that other load on the machine affects all alike. Every second
 * round runs backwards, so that none profits from its place in the order.
 *
 * @returns Costs by contestant, one for each round.
 */
export async function takeTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly Cost[]>>> {
  const names = Object.keys(contestants) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]])) as Record<Name, Cost[]>;
  for (const name of [...names, ...names]) await contestants[name](); // warm
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) costs[name].push(await contestants[name]());
  }
  return costs;
}
