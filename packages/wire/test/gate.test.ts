import { expect, test } from 'vitest';
import { createGate } from '../src/runtime/gate.ts';

/** Work that ends on demand. */
function heldWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => async () => {
    begun.push(number);
    await new Promise<void>((resolve) => ends.push(resolve));
    return number;
  };
  async function endOne(): Promise<void> {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  return { begun, work, endOne };
}

test('some work runs, some waits in order, and more is refused', async () => {
  const { begun, work, endOne } = heldWork();
  const gate = createGate({ atOnce: 2, bound: { waiting: 1, full: () => new Error('full') } });
  const all = [gate(work(1)), gate(work(2)), gate(work(3))];
  await expect(gate(work(4))).rejects.toThrow('full');
  expect(begun).toEqual([1, 2]);
  await endOne();
  expect(begun).toEqual([1, 2, 3]);
  await endOne();
  await endOne();
  expect(await Promise.all(all)).toEqual([1, 2, 3]);
});

test('a place that becomes free goes to the one that waits longest, not to one that comes now', async () => {
  const { begun, work, endOne } = heldWork();
  const gate = createGate({ atOnce: 1 });
  const first = gate(work(1)).then(() => gate(work(3)));
  const second = gate(work(2));
  for (let ended = 0; ended < 3; ended++) await endOne();
  expect(await Promise.all([first, second])).toEqual([3, 2]);
  expect(begun).toEqual([1, 2, 3]);
});

test('work that fails gives its place back, and the gate says when it is idle', async () => {
  let idle = 0;
  const gate = createGate({ atOnce: 1, idle: () => idle++ });
  const failing = gate(() => Promise.reject(new Error('no')));
  const next = gate(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(idle).toBe(1);
});
