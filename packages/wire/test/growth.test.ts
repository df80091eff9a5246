import { expect, test } from 'vitest';
import { growth, mostGrowth } from './growth.ts';

function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

test('work that does not grow with its input has an exponent near 0 (security rule 25)', async () => {
  expect(await growth(1, () => () => steps(20_000), 0.5)).toBeLessThan(0.5);
});

test('work that grows with its input has an exponent near 1 (security rule 25)', async () => {
  const exponent = await growth(20_000, (size) => () => steps(size));
  expect(exponent).toBeGreaterThan(0.5);
  expect(exponent).toBeLessThan(mostGrowth);
});

test('control: work that grows with the square of its input has one near 2 (security rule 25)', async () => {
  const exponent = await growth(400, (size) => () => steps(size * size));
  expect(exponent).toBeGreaterThan(mostGrowth);
  expect(exponent).toBeLessThan(2.5);
});

test('control: work that grows with its input is above the bound of work that must not (security rule 25)', async () => {
  expect(await growth(20_000, (size) => () => steps(size), 0.5)).toBeGreaterThan(0.5);
});

test('the input is made once for each of n, 3 n and 9 n, before the first work (security rule 25)', async () => {
  const made: number[] = [];
  const madeAtWork = new Set<number>();
  await growth(1_000, (size) => {
    made.push(size);
    return () => {
      madeAtWork.add(made.length);
      steps(size);
    };
  });
  expect([made, [...madeAtWork]]).toEqual([[1_000, 3_000, 9_000], [3]]);
});

/**
 * Prepares work that is slowed with the square of its size in the first tries, and not afterwards.
 * `tries()` returns the number of tries so far: each measures three sizes in turn five times.
 */
function disturbedFor(triesOfSquare: number) {
  let [turns, last] = [0, 0];
  const tries = () => Math.ceil(turns / 15);
  const prepare = (size: number) => () => {
    if (size !== last) turns += 1;
    last = size;
    return steps(tries() <= triesOfSquare ? (size * size) / 4 : size * 100);
  };
  return { prepare, tries };
}

test.each([
  { triesOfSquare: 0, tries: 1, passes: true },
  { triesOfSquare: 7, tries: 8, passes: true },
  { triesOfSquare: 8, tries: 8, passes: false },
])('after $triesOfSquare tries above the bound, $tries were made and passing is $passes', async (row) => {
  const { prepare, tries } = disturbedFor(row.triesOfSquare);
  const exponent = await growth(400, prepare);
  expect({ tries: tries(), passes: exponent < mostGrowth }).toEqual({ tries: row.tries, passes: row.passes });
});
