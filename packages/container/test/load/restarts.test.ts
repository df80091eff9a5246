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

test('an app that its own dev server reloads rests after a second, and one that never rests is stopped', () => {
  let nowMs = 0;
  const restarts = createRestarts({ clock: { elapsed: () => nowMs }, isReloadedByTools: true });
  const restartAfter = (ms: number) => {
    restarts.ready();
    nowMs += ms;
    return restarts.next();
  };
  const saves = Array.from({ length: 100 }, () => restartAfter(1_000));
  expect(new Set(saves)).toEqual(new Set([250]));
  expect(Array.from({ length: 3 }, () => restartAfter(999))).toEqual([1_000, 4_000, undefined]);
});
