import { expect, test } from 'vitest';
import { createTurns } from '../src/turns.ts';

/** Runs works at once, and returns the milliseconds of each turn of the event loop with any. */
async function turnsOf(
  works: number,
  { ms, isFree = false, awaits = 0 }: { readonly ms: number; readonly isFree?: boolean; readonly awaits?: number },
): Promise<readonly number[]> {
  const clock = { ms: 0 };
  const inTurn = isFree ? <T>(work: () => Promise<T>) => work() : createTurns({ now: () => clock.ms });
  const spent = [0];
  let isOver = false;
  const tick = (): void => {
    spent.push(0);
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const order: number[] = [];
  const work = async (index: number): Promise<void> => {
    for (let count = 0; count < awaits; count++) await undefined;
    order.push(index);
    clock.ms += ms;
    spent[spent.length - 1] = (spent.at(-1) ?? 0) + ms;
  };
  await Promise.all(Array.from({ length: works }, (_, index) => inTurn(() => work(index))));
  isOver = true;
  expect(order).toEqual(Array.from({ length: works }, (_, index) => index));
  return spent.filter((one) => one > 0);
}

test('work of many that begins at once is spread over turns of the event loop (security rule 25)', async () => {
  for (const awaits of [0, 1, 7]) {
    const turns = await turnsOf(50, { ms: 4, awaits });
    expect(Math.max(...turns)).toBeLessThanOrEqual(12); // the third begins within ten
    expect(turns.reduce((sum, ms) => sum + ms)).toBe(200);
  }
});

test('short work of many shares a turn, and many turns are not lost on it', async () => {
  expect(await turnsOf(50, { ms: 0.1 })).toHaveLength(1);
  expect((await turnsOf(1_000, { ms: 0.1 })).length).toBeLessThanOrEqual(20); // of a hundred each, or 16
});

test('control: without turns all of it is one', async () => {
  expect(await turnsOf(50, { ms: 4, isFree: true })).toEqual([200]);
});

test('work that waits for a database of its own holds up no other for more than a turn', async () => {
  const inTurn = createTurns();
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    running--;
  };
  await Promise.all(Array.from({ length: 30 }, () => inTurn(work)));
  expect(most).toBe(30);
});

test('work that fails leaves its turn to the next', async () => {
  const inTurn = createTurns();
  const failing = Array.from({ length: 50 }, () => inTurn(() => Promise.reject(new Error('no'))));
  expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await inTurn(async () => 'x')).toBe('x');
});
