import { expect, test } from 'vitest';
import { createLoad, type Load } from '../../src/edge/load.ts';

/**
 * A load with a controlled clock and timer: `look(late)` is the next measurement, late by so many
 * milliseconds.
 */
function watched(): { load: Load; look(lateMs: number): void } {
  let nowMs = 0;
  let tick = (): void => {};
  const load = createLoad({
    limits: { inFlight: 10, lagMs: 400 },
    now: () => nowMs,
    every: (work) => {
      tick = work;
      return () => {};
    },
  });
  return {
    load,
    look(lateMs) {
      nowMs += 100 + lateMs;
      tick();
    },
  };
}

test('an event loop that is late twice in a row is overloaded, until it is well below twice in a row', () => {
  const { load, look } = watched();
  const after = (lateMs: number) => {
    look(lateMs);
    return load.isOverloaded;
  };
  expect([500, 0, 500, 0].map(after)).toEqual([false, false, false, false]); // single long tasks
  expect([500, 500].map(after)).toEqual([false, true]);
  expect([300, 300, 300].map(after)).toEqual([true, true, true]);
  expect([50, 300, 50, 50].map(after)).toEqual([true, true, true, false]);
});

test('the lag is in seconds', () => {
  const { load, look } = watched();
  look(250);
  expect(load.lagSeconds).toBe(0.25);
});

test('too many requests at a time are an overload, until a fifth of them is done', () => {
  const { load } = watched();
  for (let i = 0; i < 9; i++) load.enter();
  expect(load.isOverloaded).toBe(false);
  load.enter();
  expect(load.isOverloaded).toBe(true);
  load.leave();
  load.leave();
  expect([load.inFlight, load.isOverloaded]).toEqual([8, true]);
  load.leave();
  expect(load.isOverloaded).toBe(false);
});
