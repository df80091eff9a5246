import { expect, test } from 'vitest';
import { createAdmission, type Pending } from '../../src/edge/admission.ts';
import { defaultLimits } from '../../src/edge/limits.ts';

/**
 * Milliseconds that steps take in the model, near those that `npm run bench -- overload` suggests
 * for signed reads.
 */
const costs = { pass: 0.002, accept: 0.02, parse: 0.015, work: 0.37, refuse: 0.015 };
const capacity = 1 / (2 * costs.pass + costs.accept + costs.parse + costs.work);

interface Outcome {
  /** Part of the server's capacity without overload that it served. */
  readonly goodput: number;
  /** Longest time of a served request, from the connection to the response. */
  readonly longestMs: number;
  readonly refused: number;
}

/**
 * Runs a model of Node's event loop, which accepts one connection in a pass, in a time of its own:
 * three seconds in which connections with a request each come evenly.
 *
 * @param times Number of requests, as a multiple of the server's capacity.
 * @param isNaive Works on each request as soon as it is read.
 */
function simulate(times: number, { isNaive = false }: { readonly isNaive?: boolean } = {}): Outcome {
  let nowMs = 0;
  let callbacks: (() => void)[] = [];
  const admission = createAdmission({
    limits: defaultLimits,
    now: () => nowMs,
    afterPass: (callback) => callbacks.push(callback),
  });
  const endMs = 3_000;
  const backlog: number[] = [];
  let readable: number[] = [];
  let [sent, accepted, answered, refused, longestMs] = [0, 0, 0, 0, 0];

  function pendingOf(sentAtMs: number): Pending {
    return {
      isGone: () => false,
      run() {
        nowMs += costs.work;
        answered++;
        longestMs = Math.max(longestMs, nowMs - sentAtMs);
      },
      refuse() {
        nowMs += costs.refuse;
        refused++;
      },
    };
  }

  while (nowMs < endMs) {
    nowMs += costs.pass;
    for (; sent < nowMs * times * capacity; sent++) {
      if (backlog.length - accepted < defaultLimits.backlog) backlog.push(sent / (times * capacity));
    }
    const ready = readable;
    readable = [];
    const next = backlog[accepted];
    if (next !== undefined) {
      accepted++;
      nowMs += costs.accept;
      readable.push(next);
      admission.connected();
    }
    for (const sentAtMs of ready) {
      nowMs += costs.parse;
      if (isNaive) pendingOf(sentAtMs).run();
      else admission.enter(pendingOf(sentAtMs));
    }
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback();
  }
  return { goodput: answered / endMs / capacity, longestMs, refused };
}

test('a server that can keep up refuses nothing (ADR 30)', () => {
  const { goodput, longestMs, refused } = simulate(0.9);
  expect([Math.round(goodput * 10), refused]).toEqual([9, 0]);
  expect(longestMs).toBeLessThan(10);
});

test('at three times its load it serves most of what it can, and that soon (ADR 30)', () => {
  const { goodput, longestMs, refused } = simulate(3);
  expect(goodput).toBeGreaterThan(0.65);
  expect(longestMs).toBeLessThan(defaultLimits.waitMs);
  expect(refused).toBeGreaterThan(5_000);
});

test('a flood of eight times as many leaves it half of its time for work (ADR 30)', () => {
  expect(simulate(8).goodput).toBeGreaterThan(0.45);
});

test('work as soon as a request is read leaves the others where nothing sees them wait (positive control)', () => {
  expect(simulate(3, { isNaive: true }).longestMs).toBeGreaterThan(1_500);
});
