import { expect, test } from 'vitest';
import { growth, mostGrowth } from './growth.ts';

function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

test('work that grows with its input passes for linear (security rule 25)', async () => {
  expect(await growth(20_000, (size) => () => steps(size))).toBeLessThan(mostGrowth);
});

test('control: work that grows with the square of its input does not (security rule 25)', async () => {
  expect(await growth(400, (size) => () => steps(size * size))).toBeGreaterThan(mostGrowth);
});
