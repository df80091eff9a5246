import { expect, test } from 'vitest';
import { createRestarts } from '../../src/load/restarts.ts';

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

test('in development an app is loaded anew at once, however often, as long as it comes to rest between', () => {
  let nowMs = 0;
  const restarts = createRestarts({ clock: { elapsed: () => nowMs }, isDevelopment: true });
  const waits = Array.from({ length: 100 }, () => {
    restarts.ready();
    nowMs += 500;
    return restarts.next();
  });
  expect(new Set(waits)).toEqual(new Set([0]));
});

test('in development an app that never comes to rest is stopped after twenty loads', () => {
  const restarts = createRestarts({ clock: { elapsed: () => 0 }, isDevelopment: true });
  const waits = Array.from({ length: 21 }, () => restarts.next());
  expect([waits.slice(0, 20).every((ms) => ms === 0), waits[20]]).toEqual([true, undefined]);
});
