import { expect, test } from 'vitest';
import { asReady } from '../src/as-ready.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('a slow one does not hold back the others', async () => {
  const slow = gate();
  const results = asReady(['slow', 'a', 'b'], 3, async (item) => {
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
    asReady(
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

test('a reader that goes away stops the rest from starting', async () => {
  const begun: number[] = [];
  const results = asReady([1, 2, 3, 4, 5], 2, async (item) => begun.push(item));
  await results.next();
  await results.return(undefined);
  expect(begun).toEqual([1, 2]);
});

test('nothing to do is the end', async () => {
  expect(await all(asReady([], 5, async () => 1))).toEqual([]);
});
