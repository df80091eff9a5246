/** One value of each dimension. */
export type Combination<Dimensions> = { readonly [Name in keyof Dimensions]: ElementOf<Dimensions[Name]> };
type ElementOf<Values> = Values extends readonly (infer Value)[] ? Value : never;

type AnyDimensions = Readonly<Record<string, readonly unknown[]>>;

/**
 * Returns combinations in which every two values that fit together occur; always the same.
 *
 * Greedy: each combination is, of all that fit, one with the most pairs that no earlier one has.
 *
 * @param fits Returns whether a combination makes sense. A pair that is in none is left out.
 * @example
 * pairwise({ route: ['/a', '/b'], method: ['GET', 'HEAD'], who: ['anyone', 'key'] }).length; // 4
 */
export function pairwise<Dimensions extends AnyDimensions>(
  dimensions: Dimensions,
  fits: (combination: Combination<Dimensions>) => boolean = () => true,
): Combination<Dimensions>[] {
  const left = new Map([...allCombinations(dimensions)].filter(fits).map((one) => [one, pairsOf(dimensions, one)]));
  const missing = new Set([...left.values()].flat());
  const chosen: Combination<Dimensions>[] = [];
  const most = Object.keys(dimensions).length ** 2 / 2;
  // Gains only shrink: a combination that has the wanted gain cannot be beaten by a later one.
  for (let least = Math.floor(most); least > 0; least--) {
    for (const [one, pairs] of left) {
      const gain = pairs.filter((pair) => missing.has(pair)).length;
      if (gain === 0) left.delete(one);
      if (gain < least) continue;
      for (const pair of pairs) missing.delete(pair);
      left.delete(one);
      chosen.push(one);
    }
  }
  return chosen;
}

function* allCombinations<Dimensions extends AnyDimensions>(
  dimensions: Dimensions,
): Generator<Combination<Dimensions>> {
  const [name, ...more] = Object.keys(dimensions);
  if (name === undefined) {
    yield {} as Combination<Dimensions>;
    return;
  }
  const rest = Object.fromEntries(more.map((other) => [other, dimensions[other] as readonly unknown[]]));
  for (const value of dimensions[name] as readonly unknown[]) {
    for (const others of allCombinations(rest)) yield { [name]: value, ...others } as Combination<Dimensions>;
  }
}

/** Names each pair of values in a combination by the positions of both. */
function pairsOf<Dimensions extends AnyDimensions>(dimensions: Dimensions, one: Combination<Dimensions>): string[] {
  const places = Object.keys(dimensions).map((name) => `${name} ${dimensions[name]?.indexOf(one[name])}`);
  return places.flatMap((first, index) => places.slice(index + 1).map((second) => `${first}, ${second}`));
}
