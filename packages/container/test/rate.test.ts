import { expect, test } from 'vitest';
import { createRate } from '../src/chrome/rate.ts';

test('lets so many through in a time, and more when it has passed', () => {
  let nowMs = 0;
  const may = createRate({ count: 2, perMs: 1_000, now: () => nowMs });
  expect([may(), may(), may()]).toEqual([true, true, false]);
  nowMs = 999;
  expect(may()).toBe(false);
  nowMs = 1_000;
  expect([may(), may(), may()]).toEqual([true, true, false]);
});
