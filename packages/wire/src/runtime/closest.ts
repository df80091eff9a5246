/** Returns the nearest word, if at most a third of its letters differ. */
export function closest(word: string, words: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  const ranked = words
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

const longest = 64;

/** Counts letters to insert, delete, replace or swap (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let [before, above]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const steps = [
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) steps.push((before[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    [before, above] = [above, current];
  }
  return above[to.length] ?? 0;
}
