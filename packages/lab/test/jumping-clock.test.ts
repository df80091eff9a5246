import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJumpingClock } from '../src/jumping-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const time = createJumpingClock({
    ...{ now: Date.now, elapsed: () => performance.now() },
    set: (fire, ms) => setTimeout(fire, ms),
    clear: (timer: NodeJS.Timeout) => clearTimeout(timer),
  });
  const fired: string[] = [];
  const after = (ms: number, name: string) => time.at(time.elapsed() + ms, () => fired.push(name));
  return { time, fired, after };
}

test('a timer that a jump brought nearer fires when the rest of its wait has passed', () => {
  const { time, fired, after } = open();
  after(40_000, 'late');
  time.set({ aheadMs: 30_000 });
  vi.advanceTimersByTime(9_990);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(10);
  expect(fired).toEqual(['late']);
});

test('timers run while time stands still, and time goes on from where it stood', () => {
  const { time, fired, after } = open();
  time.set({ aheadMs: 0, stoppedAtMs: 5_000 });
  after(1_000, 'on');
  vi.advanceTimersByTime(1_000);
  expect([time.now(), fired]).toEqual([5_000, ['on']]);
  expect(time.set({ aheadMs: -1_000 })).toBe(0);
  vi.advanceTimersByTime(7);
  expect(time.now()).toBe(5_007);
});

test('a jump of stopped time fires what became due, and one back in time nothing', () => {
  const { time, fired, after } = open();
  time.set({ aheadMs: 0, stoppedAtMs: 5_000 });
  after(1_000, 'due');
  expect(time.set({ aheadMs: 0, stoppedAtMs: 1_000 })).toBe(0);
  expect(time.set({ aheadMs: 0, stoppedAtMs: 2_000 })).toBe(1_000);
  vi.advanceTimersByTime(0);
  expect([time.now(), fired]).toEqual([2_000, ['due']]);
});

test('each timer that became due is a task of its own: what one throws keeps no other from firing', () => {
  const { time, fired, after } = open();
  time.at(time.elapsed() + 10, () => {
    throw new Error('of the app');
  });
  after(20, 'next');
  time.set({ aheadMs: 30 });
  expect(() => vi.advanceTimersByTime(0)).toThrow('of the app');
  vi.advanceTimersByTime(0);
  expect(fired).toEqual(['next']);
});

test('a place that begins with an older time gets the right one, and none of its timers jumps', () => {
  const { time, fired, after } = open();
  after(30_000, 'patience');
  expect(time.set({ aheadMs: 0, stoppedAtMs: 60_000 }, { isBeginning: true })).toBe(0);
  vi.advanceTimersByTime(29_999);
  expect([time.now(), fired]).toEqual([60_000, []]);
  time.set({ aheadMs: 0, stoppedAtMs: 60_001 }); // control: a jump does
  vi.advanceTimersByTime(0);
  expect(fired).toEqual(['patience']);
});
