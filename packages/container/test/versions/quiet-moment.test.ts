import { systemClock } from '@gantry/bridge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaitQuietMoment } from '../../src/versions/quiet-moment.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const second = 1_000;
const minute = 60 * second;

/** An app on a page whose time passes as the test says. */
function openApp({ sinceMs = 0 } = {}) {
  let nowMs = 0;
  const heard: string[] = [];
  const app = { isUsed: false, writes: 0 };
  const moment = awaitQuietMoment({
    clock: { ...systemClock, elapsed: () => nowMs },
    sinceMs,
    isUsed: () => app.isUsed,
    hasWrites: () => app.writes > 0,
    onQuiet: () => heard.push('quiet'),
    onLate: () => heard.push('late'),
  });
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += second) {
      nowMs += second;
      vi.advanceTimersByTime(second);
    }
  };
  return { app, heard, moment, pass };
}

test('an app that is not used is loaded after half a minute, once', () => {
  const { heard, pass } = openApp();
  pass(29 * second);
  expect(heard).toEqual([]);
  pass(second);
  expect(heard).toEqual(['quiet']);
  pass(20 * minute);
  expect([heard, vi.getTimerCount()]).toEqual([['quiet'], 0]);
});

test('the half minute begins anew with each use, also one between two looks', () => {
  const { app, heard, moment, pass } = openApp();
  app.isUsed = true;
  pass(5 * minute);
  app.isUsed = false;
  pass(20 * second);
  app.isUsed = true;
  moment.check(); // the frame gets the focus, and loses it before the next look
  app.isUsed = false;
  pass(29 * second);
  expect(heard).toEqual([]);
  pass(second);
  expect(heard).toEqual(['quiet']);
});

test('a write that waits holds it back, and the first moment without one is enough', () => {
  const { app, heard, pass } = openApp();
  app.writes = 1;
  pass(5 * minute);
  expect(heard).toEqual([]);
  app.writes = 0;
  pass(second);
  expect(heard).toEqual(['quiet']);
});

test('after ten minutes of use the member is asked once, and the quiet moment is still waited for', () => {
  const { app, heard, pass } = openApp();
  app.isUsed = true;
  pass(10 * minute - second);
  expect(heard).toEqual([]);
  pass(second);
  expect(heard).toEqual(['late']);
  pass(30 * minute);
  expect(heard).toEqual(['late']);
  app.isUsed = false;
  pass(30 * second);
  expect(heard).toEqual(['late', 'quiet']);
});

test('the ten minutes are counted from the news, over loads of the app', () => {
  const { app, heard, pass } = openApp({ sinceMs: -9 * minute });
  app.isUsed = true;
  pass(minute);
  expect(heard).toEqual(['late']);
});

test('nothing is called and no timer is left after the end', () => {
  const { heard, moment, pass } = openApp();
  moment.end();
  expect(vi.getTimerCount()).toBe(0);
  pass(20 * minute);
  expect(heard).toEqual([]);
});
