import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLabClock } from '../page/create-lab-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a jump of the clock runs what is due by then, in its order, and nothing else', () => {
  const clock = createLabClock();
  const ran: string[] = [];
  clock.after(40_000, () => ran.push('late'));
  clock.after(20_000, () => ran.push('second'));
  clock.after(10_000, () => ran.push('first'));
  const cancel = clock.after(5_000, () => ran.push('cancelled'));
  cancel();
  void clock.set({ aheadMs: 30_000 });
  vi.advanceTimersByTime(0);
  expect(clock.now()).toBe(35_000);
  expect(ran).toEqual(['first', 'second']);
  vi.advanceTimersByTime(10_000);
  expect(ran).toEqual(['first', 'second', 'late']);
});

test('a wait longer than timers of a browser can take is waited for whole', () => {
  const clock = createLabClock();
  let ran = false;
  clock.after(2 ** 31 + 1_000, () => {
    ran = true;
  });
  vi.advanceTimersByTime(2 ** 31);
  expect(ran).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(ran).toBe(true);
});
