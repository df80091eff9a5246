import { expect, test } from 'vitest';
import { createSlidingWindow } from '../../src/chrome/sliding-window.ts';

test('lets so many through in a time, and more when it has passed', () => {
  let nowMs = 0;
  const may = createSlidingWindow({ count: 2, perMs: 1_000, now: () => nowMs });
  expect([may(), may(), may()]).toEqual([true, true, false]);
  nowMs = 999;
  expect(may()).toBe(false);
  nowMs = 1_000;
  expect([may(), may(), may()]).toEqual([true, true, false]);
});
