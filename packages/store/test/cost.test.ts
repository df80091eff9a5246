import { sql } from '@gantry/store';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each<[string, number, (size: number) => () => unknown]>([
  [
    'joined values',
    500,
    (size) => {
      const values = numbers(size);
      return () => sql.join(values);
    },
  ],
  [
    'values of a list',
    910, // each size is just below a power of two, to which the list is filled up
    (size) => {
      const values = numbers(size);
      return () => sql.list(values);
    },
  ],
  [
    'rows',
    500,
    (size) => {
      const rows = numbers(size).map((number) => [number, number]);
      return () => sql.rows(rows);
    },
  ],
  [
    'spliced statements',
    500,
    (size) => {
      const parts = numbers(size).map((number) => sql`(${number}, ${sql`lower(${'a'})`})`);
      return () => sql`insert into t values ${sql.join(parts)} on conflict do nothing`;
    },
  ],
])('%s: making a statement costs no more than its parts (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: copying what is there for each part grows with the square (security rule 25)', async () => {
  const copying = (size: number) => {
    const parts = numbers(size);
    return () => parts.reduce<readonly number[]>((made, part) => made.concat(part), []);
  };
  expect(await growth(200, copying)).toBeGreaterThan(mostGrowth);
});
