import { expect, test } from 'vitest';
import { createClock } from '../src/index.ts';

test('time runs with the system’s, jumps, stops at an instant and goes on from it', () => {
  let real = 1_000;
  const clock = createClock({ startMs: 50_000, real: () => real });
  real += 5;
  expect(clock.now()).toBe(50_005);
  clock.jump(30_000);
  expect([clock.now(), clock.offsetMs]).toEqual([80_005, 79_000]);
  clock.stop();
  real += 1_000;
  clock.jump(10);
  expect([clock.now(), clock.isStopped]).toEqual([80_015, true]);
  clock.start();
  real += 7;
  expect(clock.now()).toBe(80_022);
});

test('a jump fires what became due by it, the earliest first, and a repeated timer once', async () => {
  const clock = createClock();
  const fired: string[] = [];
  const pause = clock.pause(40_000).then(() => fired.push('pause'));
  clock.every(() => fired.push('look'), 1_000);
  const end = clock.every(() => fired.push('never'), 20_000);
  clock.every(() => end(), 10_000);
  clock.jump(30_000);
  await clock.pause(0);
  expect(fired).toEqual(['look']);
  clock.jump(10_000);
  await pause;
  expect(fired).toEqual(['look', 'look', 'pause']);
  clock.close();
});

test('scheduling goes on while time stands still', async () => {
  const clock = createClock();
  clock.stop();
  await clock.pause(0);
  await new Promise<void>((resolve) => {
    const end = clock.every(look, 1);
    function look(): void {
      end();
      resolve();
    }
  });
  clock.close();
});

test('changes are heard before their effects, until one stops listening', async () => {
  const clock = createClock();
  const heard: unknown[] = [];
  clock.every(() => heard.push('look'), 1_000);
  const end = clock.subscribe((change) => heard.push(change));
  clock.jump(1_000);
  clock.stop();
  end();
  clock.start();
  await clock.pause(0);
  expect(heard).toEqual([{ jumpMs: 1_000, isStopped: false }, { jumpMs: 0, isStopped: true }, 'look']);
  clock.close();
});

test.each([-1, 0.5, Number.NaN, 1e15])('no clock jumps by %s ms', (ms) => {
  expect(() => createClock().jump(ms)).toThrow(RangeError);
});

test('a closed clock lets go of what waits, and repeats nothing', async () => {
  const clock = createClock();
  const fired: string[] = [];
  clock.every(() => fired.push('look'), 1);
  const waiting = clock.pause(1_000_000);
  clock.close();
  await waiting;
  await clock.pause(1_000_000);
  clock.every(() => fired.push('later'), 0);
  clock.jump(10_000);
  expect(fired).toEqual([]);
});
