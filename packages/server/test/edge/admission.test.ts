import { expect, test } from 'vitest';
import { type Admission, createAdmission } from '../../src/edge/admission.ts';

interface Watched {
  readonly admission: Admission;
  /** Names of requests, in order, that began or were refused. */
  readonly begun: string[];
  readonly refused: string[];
  /** Lets a request arrive, whose work takes so long. */
  arrive(name: string, options?: { readonly workMs?: number; readonly isGone?: () => boolean }): void;
  /** Ends a pass of the event loop that took so long beside the work in it. */
  pass(tookMs?: number): void;
}

/** An admission with a controlled clock and event loop. */
function watched({ waitMs = 500, standingWaitMs = 50, fewWaiting = 0 } = {}): Watched {
  let nowMs = 0;
  let callbacks: (() => void)[] = [];
  const begun: string[] = [];
  const refused: string[] = [];
  const admission = createAdmission({
    limits: { waitMs, standingWaitMs, fewWaiting },
    now: () => nowMs,
    afterPass: (callback) => callbacks.push(callback),
  });
  return {
    admission,
    begun,
    refused,
    arrive(name, { workMs = 0, isGone = () => false } = {}) {
      const run = () => {
        nowMs += workMs;
        begun.push(name);
      };
      admission.enter({ run, refuse: () => refused.push(name), isGone });
    },
    pass(tookMs = 0) {
      nowMs += tookMs;
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
    },
  };
}

test('a request to a server that is not busy begins at once', () => {
  const { begun, arrive, pass } = watched();
  for (const name of ['a', 'b', 'c']) {
    arrive(name);
    pass(20);
  }
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('the request of a new connection begins at the end of the pass that read it', () => {
  const { admission, begun, arrive, pass } = watched();
  admission.connected();
  pass();
  arrive('a');
  expect(begun).toEqual([]);
  pass();
  expect(begun).toEqual(['a']);
});

test('connections that follow one another are accepted before there is work, for five milliseconds at a time', () => {
  const { admission, begun, arrive, pass } = watched();
  pass(1_000);
  const passes: string[] = [];
  for (let i = 0; i < 24; i++) {
    admission.connected();
    arrive(`${i}`);
    const before = begun.length;
    pass(1);
    passes.push(begun.length > before ? 'work' : 'accept');
  }
  const [accept, work] = [Array(5).fill('accept'), Array(5).fill('work')];
  expect(passes).toEqual([...accept.slice(1), ...work, ...accept, ...work, ...accept]);
});

test('requests that one pass reads begin for ten milliseconds; the rest wait in order', () => {
  const { begun, arrive, pass } = watched();
  for (let i = 0; i < 6; i++) arrive(`${i}`, { workMs: 4 });
  expect(begun).toEqual(['0', '1', '2']);
  pass();
  expect(begun).toEqual(['0', '1', '2', '3']);
  arrive('later');
  pass();
  pass();
  pass();
  expect(begun).toEqual(['0', '1', '2', '3', '4', '5', 'later']);
});

test('a request that waited longer than it may is refused, one that waited as long is not (ADR 30)', () => {
  const { begun, refused, arrive, pass } = watched({ waitMs: 500 });
  for (let i = 0; i < 8; i++) arrive(`${i}`, { workMs: 100 });
  for (let i = 0; i < 8; i++) pass();
  expect([begun, refused]).toEqual([['0', '1', '2', '3', '4', '5', '6'], ['7']]);
});

test('few requests wait however long: their clients are few, and the machine is slow (ADR 30)', () => {
  const { begun, refused, arrive, pass } = watched({ waitMs: 500, fewWaiting: 20 });
  for (let i = 0; i < 21; i++) arrive(`${i}`, { workMs: 100 });
  for (let i = 0; i < 20; i++) pass();
  expect([begun.length, refused]).toEqual([21, []]);
});

test('one long task refuses nobody who waits behind it (ADR 30)', () => {
  const { begun, refused, arrive, pass } = watched({ waitMs: 500 });
  arrive('first', { workMs: 10 });
  arrive('long', { workMs: 5_000 });
  for (const name of ['a', 'b']) arrive(name);
  for (let i = 0; i < 3; i++) pass();
  expect([begun, refused]).toEqual([['first', 'long', 'a', 'b'], []]);
});

test('after requests waited that long without a pause, the limit of the wait is a tenth (ADR 30)', () => {
  const { admission, begun, refused, arrive, pass } = watched({ waitMs: 500, standingWaitMs: 50 });
  const arrivedAtMs = new Map<string, number>();
  const waitedMs: number[] = [];
  let atMs = 0;
  for (let i = 0; i < 4_000; i++) {
    admission.connected();
    arrivedAtMs.set(`${i}`, atMs);
    arrive(`${i}`);
    const before = begun.length;
    pass(1); // three come for each that can be served: accepting takes every other turn
    atMs++;
    for (const name of begun.slice(before)) if (atMs > 1_500) waitedMs.push(atMs - (arrivedAtMs.get(name) ?? 0));
  }
  expect(Math.max(...waitedMs)).toBeLessThanOrEqual(51);
  expect(begun.length).toBeGreaterThan(1_900);
  expect(refused.length).toBeGreaterThan(1_900);
  for (let i = 0; i < 200; i++) pass(1);
  expect(admission.waiting).toBe(0);
  arrive('after the flood');
  expect(begun.at(-1)).toBe('after the flood');
});

test('a request whose client went away is neither begun nor refused', () => {
  const { admission, begun, refused, arrive, pass } = watched();
  admission.connected();
  arrive('gone', { isGone: () => true });
  arrive('there');
  pass();
  pass();
  expect([begun, refused, admission.waiting]).toEqual([['there'], [], 0]);
});

test('while it is held nothing begins, and afterwards everything does, however long it waited (security rule 21)', () => {
  const { admission, begun, refused, arrive, pass } = watched({ waitMs: 500 });
  admission.hold();
  for (const name of ['a', 'b', 'c']) arrive(name);
  for (let i = 0; i < 10; i++) pass(100);
  expect([begun, admission.waiting]).toEqual([[], 3]);
  admission.release();
  for (let i = 0; i < 3; i++) pass();
  expect([begun, refused]).toEqual([['a', 'b', 'c'], []]);
});

test('a queue that never empties keeps no served requests', () => {
  const { admission, begun, arrive, pass } = watched({ waitMs: 1e9, standingWaitMs: 1e9 });
  for (let i = 0; i < 10; i++) arrive(`first ${i}`, { workMs: 10 });
  for (let i = 0; i < 5_000; i++) {
    arrive(`${i}`);
    pass(1);
  }
  expect(begun.slice(10, 13)).toEqual(['0', '1', '2']);
  expect(admission.waiting).toBeLessThan(20);
});
