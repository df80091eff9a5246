import { expect, test, vi } from 'vitest';
import { perTick } from '../../src/calls/per-tick.ts';

test('messages of several ports that have already arrived are one tick', async () => {
  const flushed = Promise.withResolvers<readonly number[]>();
  const add = perTick<number>(flushed.resolve);
  const channels = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
  for (const { port1 } of channels) port1.onmessage = ({ data }) => add(data);
  channels.forEach(({ port2 }, index) => {
    port2.postMessage(index);
  });
  expect(await flushed.promise).toEqual([0, 1, 2]);
  for (const { port1 } of channels) port1.close();
});

test('an item that is added after a tick is part of the next one', async () => {
  const batches: (readonly string[])[] = [];
  const done = Promise.withResolvers<void>();
  const add = perTick<string>((items) => {
    batches.push(items);
    if (batches.length === 1) add('later');
    else done.resolve();
  });
  add('a');
  add('b');
  await done.promise;
  expect(batches).toEqual([['a', 'b'], ['later']]);
});

test('a tick that comes first is not behind tasks that are queued, and its very first behind none (ADR 14)', async () => {
  const tasks: [task: () => void, priority: string][] = [];
  vi.stubGlobal('scheduler', {
    postTask: async (task: () => void, { priority }: { priority: string }) => void tasks.push([task, priority]),
  });
  const batches: (readonly string[])[] = [];
  const add = perTick<string>((items) => void batches.push(items), 'first');
  for (const item of ['a', 'b']) queueMicrotask(() => add(item)); // as elements that are upgraded together
  await null;
  await null;
  expect(batches).toEqual([['a', 'b']]);
  expect(tasks).toEqual([]);
  add('c');
  add('d');
  vi.unstubAllGlobals();
  expect(tasks.map(([, priority]) => priority)).toEqual(['user-blocking']);
  tasks[0]?.[0]();
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});
