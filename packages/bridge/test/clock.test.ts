import { expect, onTestFinished, test } from 'vitest';
import { connectToContainer } from '../src/connect.ts';
import { createPending } from '../src/pending.ts';
import { systemClock } from '../src/system-clock.ts';
import { createStillClock } from './still-clock.ts';

test('an app’s request is TIMED_OUT by the clock of its connection, after a jump and not before', () => {
  const clock = createStillClock();
  const replies: unknown[] = [];
  const pending = createPending(clock, () => undefined);
  pending.add((reply) => replies.push(reply), { timeoutMs: 30_000 });
  clock.jump(29_999);
  expect(replies).toEqual([]);
  clock.jump(1);
  expect(replies).toMatchObject([{ error: { data: { reason: 'TIMED_OUT' } } }]);
});

test('requests of one tick read the clock once, and those of a later one again (protocol, 6)', async () => {
  const still = createStillClock();
  let reads = 0;
  const replies: unknown[] = [];
  const elapsed = () => {
    reads += 1;
    return still.elapsed();
  };
  still.jump(1);
  const pending = createPending({ ...still, elapsed }, () => undefined);
  const add = () => pending.add((reply) => replies.push(reply), { timeoutMs: 30_000 });
  for (let count = 0; count < 100; count++) add();
  expect(reads).toBe(2); // the other sets the timer of all
  await Promise.resolve();
  still.jump(10_000);
  add();
  expect(reads).toBe(3);
  still.jump(20_000);
  expect(replies).toHaveLength(100); // 101 by the time of the tick before
  still.jump(10_000);
  expect(replies).toHaveLength(101);
});

test('a container that never says welcome is given up after a jump of 30 s', async () => {
  const clock = createStillClock();
  const parent = { postMessage: () => undefined };
  const location = new URL(
    'https://apps.test/hello/#gantry=1.0123456789abcdef0123456789abcdef.https%3A%2F%2Fsite.test',
  );
  const window = { parent, location, history: { replaceState: () => undefined } } as unknown as Window;
  const { welcome } = connectToContainer({ window, clock });
  clock.jump(30_000);
  await expect(welcome).rejects.toMatchObject({ data: { reason: 'TIMED_OUT' } });
});

test('timers are never set beyond their range, where they would fire at once', async () => {
  let isCalled = false;
  onTestFinished(
    systemClock.after(40 * 24 * 3_600_000, () => {
      isCalled = true;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  expect(isCalled).toBe(false);
});
