import type { LabEvent } from '@gantry/lab';
import { expect, test } from 'vitest';
import { createReport } from '../agent/report.ts';
import { summarize } from '../agent/summarize.ts';

function openReport() {
  const sent: LabEvent[] = [];
  const later: (() => void)[] = [];
  let nowMs = 0;
  const report = createReport({
    send: (one) => sent.push(one),
    now: () => nowMs,
    after: (_ms, run) => later.push(run),
  });
  return { sent, report, later, pass: (ms: number) => (nowMs += ms) };
}

test('an app that throws 10,000 times a second has few errors reported, and the rest counted (security rule 25)', () => {
  const { sent, report, later, pass } = openReport();
  let made = 0;
  for (let index = 0; index < 10_000; index++) {
    pass(0.1);
    report(() => {
      made += 1;
      return { kind: 'long-task', ms: made };
    });
  }
  expect(made).toBeLessThanOrEqual(81);
  expect(sent).toHaveLength(made);
  expect(later).toHaveLength(1);
  later[0]?.();
  expect(sent.at(-1)).toEqual({ kind: 'left-out', count: 10_000 - made });
});

test('a getter of the app that throws disturbs nothing', () => {
  const { report, sent } = openReport();
  report(() => {
    throw new Error('from a getter');
  });
  expect(sent).toEqual([]);
});

test('objects are summarized within bounds, without a call of the app', () => {
  let called = 0;
  const value = {
    get costly() {
      called += 1;
      return 1;
    },
    list: Array.from({ length: 1_000 }, (_, index) => index),
    deep: { deep: { deep: { deep: 1 } } },
  };
  const text = summarize(['Look:', value]);
  expect(text).toMatch(
    /^Look: \{ costly: \(…\), list: \[0, 1, .*… 980 more\], deep: \{ deep: \{ deep: \{…\} \} \} \}$/,
  );
  expect(called).toBe(0);
});

test('a large value costs no more than its summary (security rule 25)', () => {
  let reads = 0;
  const wide = new Proxy({} as Record<string, number>, {
    ownKeys: () => Array.from({ length: 10_000 }, (_, index) => `key${index}`),
    getOwnPropertyDescriptor: () => {
      reads += 1;
      return { value: 1, enumerable: true, configurable: true };
    },
  });
  expect(summarize([wide]).length).toBeLessThan(2_100);
  expect(summarize(['x'.repeat(1_000_000)]).length).toBeLessThan(2_100);
  expect(summarize(Array.from({ length: 100_000 }, () => 'y')).length).toBeLessThan(2_100);
  expect(reads).toBeLessThan(200);
});

test('errors, dates and cycles are summarized', () => {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  expect(summarize([new RangeError('too far'), new Date(0), cycle, undefined, 5n])).toBe(
    'RangeError: too far 1970-01-01T00:00:00.000Z { self: { self: { self: {…} } } } undefined 5n',
  );
});
