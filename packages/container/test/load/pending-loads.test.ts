import { systemClock } from '@gantry/bridge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPendingLoads, type PendingLoads } from '../../src/load/pending-loads.ts';

let pendingLoads: PendingLoads;
beforeEach(() => {
  vi.useFakeTimers();
  pendingLoads = createPendingLoads(systemClock);
});
afterEach(() => vi.useRealTimers());

function load(startMs = 10_000) {
  const late = vi.fn();
  return { ...pendingLoads.add(startMs, late), late };
}

test('a load is late after its time, once', () => {
  const { late } = load();
  vi.advanceTimersByTime(9_999);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(late).toHaveBeenCalledOnce();
});

test('its time counts from when the last app of the page was ready', () => {
  const [slow, other] = [load(), load()];
  vi.advanceTimersByTime(6_000);
  other.ready();
  vi.advanceTimersByTime(9_999);
  expect(slow.late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(slow.late).toHaveBeenCalledOnce();
});

test('a load that is ready, or over, is not late', () => {
  const [ready, over] = [load(), load()];
  ready.ready();
  over.end();
  vi.advanceTimersByTime(30_000);
  expect([ready.late.mock.calls, over.late.mock.calls]).toEqual([[], []]);
});

test('a waiting task begins once the last load has failed, and not before', async () => {
  const [first, second] = [load(), load()];
  const begun = vi.fn();
  void pendingLoads.whenLoaded().then(begun);
  first.end();
  first.end(); // counts once
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).not.toHaveBeenCalled();
  second.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveBeenCalledOnce();
});

test('an app that is ready has time to paint before a task that waits, or asks then, begins (ADR 14)', async () => {
  const only = load();
  const begun = vi.fn();
  void pendingLoads.whenLoaded().then(begun);
  only.ready();
  void pendingLoads.whenLoaded().then(begun);
  only.end(); // does not shorten it
  await vi.advanceTimersByTimeAsync(99);
  expect(begun).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  expect(begun).toHaveBeenCalledTimes(2);
});

test('and it begins only when the main thread rests', async () => {
  const rest = vi.fn<(done: () => void) => void>();
  vi.stubGlobal('requestIdleCallback', rest);
  const begun = vi.fn();
  load().ready();
  void pendingLoads.whenLoaded().then(begun);
  await vi.advanceTimersByTimeAsync(500);
  expect(begun).not.toHaveBeenCalled();
  rest.mock.calls[0]?.[0]();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('once the apps of the start have painted, later loads keep nothing waiting that the member may use', async () => {
  load().ready();
  await vi.advanceTimersByTimeAsync(200);
  const begun = vi.fn();
  load().ready();
  void pendingLoads.whenLoaded().then(begun);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveBeenCalledOnce();
});

test('a waiting task begins after a second, however long the loads take', async () => {
  load();
  const begun = vi.fn();
  void pendingLoads.whenLoaded().then(begun);
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveBeenCalledOnce();
});

test('without loads nothing waits', async () => {
  const begun = vi.fn();
  void pendingLoads.whenLoaded().then(begun);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveBeenCalledOnce();
});
