import { expect, test } from 'vitest';
import { runConcurrently } from '../../src/calls/run-concurrently.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('slow work does not delay the results of other work', async () => {
  const slow = gate();
  const results = runConcurrently(['slow', 'a', 'b'], 3, async (item) => {
    if (item === 'slow') await slow.opened;
    return item;
  });
  expect((await results.next()).value).toBe('a');
  expect((await results.next()).value).toBe('b');
  slow.open();
  expect(await all(results)).toEqual(['slow']);
});

test('no more than the limit run at once, and each runs once', async () => {
  let running = 0;
  let most = 0;
  const results = await all(
    runConcurrently(
      Array.from({ length: 100 }, (_, index) => index),
      7,
      async (item) => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return item;
      },
    ),
  );
  expect(most).toBe(7);
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('a consumer that stops ends the work that has not started', async () => {
  const begun: number[] = [];
  const results = runConcurrently([1, 2, 3, 4, 5], 2, async (item) => begun.push(item));
  await results.next();
  await results.return(undefined);
  expect(begun).toEqual([1, 2]);
});

test('no items yield nothing', async () => {
  expect(await all(runConcurrently([], 5, async () => 1))).toEqual([]);
});
