import { expect, test } from 'vitest';
import { createRestarts } from '../src/restarts.ts';

test('an app that leaves again and again waits longer each time, and then is stopped', () => {
  const restarts = createRestarts({ clock: { elapsed: () => 0 } });
  const waits = Array.from({ length: 5 }, () => {
    restarts.ready();
    return restarts.next();
  });
  expect(waits).toEqual([250, 1_000, 4_000, undefined, undefined]);
});

test('half a minute of running makes up for earlier restarts', () => {
  let nowMs = 0;
  const restarts = createRestarts({ clock: { elapsed: () => nowMs } });
  restarts.next();
  restarts.ready();
  nowMs = 29_999;
  expect(restarts.next()).toBe(1_000);
  restarts.ready();
  nowMs += 30_000;
  expect(restarts.next()).toBe(250);
});

test('time in which the app did not run counts for nothing', () => {
  let nowMs = 0;
  const restarts = createRestarts({ clock: { elapsed: () => nowMs } });
  const waits = Array.from({ length: 4 }, () => {
    nowMs += 60_000;
    return restarts.next();
  });
  expect(waits).toEqual([250, 1_000, 4_000, undefined]);
});
