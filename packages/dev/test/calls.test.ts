import type { Entry, LabEvent } from '@gantry/lab';
import type { Explanation } from '@gantry/lab/record';
import { expect, test } from 'vitest';
import { categoryOf, describe, shapeOf } from '../page/calls/describe.ts';
import { createRowLog } from '../page/calls/row-log.ts';
import { selectRows } from '../page/calls/select-rows.ts';
import { visibleWindow } from '../page/calls/visible-window.ts';
import { nextProblems, type Problem } from '../page/problem-log.ts';

function entries(...events: (LabEvent & { place?: string; lab?: string })[]): Entry[] {
  return events.map((event, index) => ({
    ...{ number: index + 1, atMs: 1_000 + index, lab: 'a', app: 'friends', place: 'm-1/1' },
    ...event,
  }));
}

const labs = new Set(['a']);
const call = (number: number, operation = 'people.get'): LabEvent => ({
  ...{ kind: 'call', call: number, operation, params: { userId: '@viewer' } },
});

test('a call, its decision, its upstream request, its reply and its pushes are one row', () => {
  const log = createRowLog();
  const all = entries(
    call(1),
    { kind: 'decision', call: 1, decision: 'stale' },
    { kind: 'upstream', operation: 'people.getSelf', method: 'GET', target: '/people', status: 200, tookMs: 3 },
    { kind: 'reply', call: 1, ok: { list: [1, 2] }, tookMs: 12, size: 40 },
    { kind: 'push', call: 1, ok: { list: [1, 2, 3] }, size: 44 },
  );
  for (const entry of all) log.add(entry);
  expect(log.rows).toHaveLength(1);
  expect(log.rows[0]).toMatchObject({
    ...{ title: 'people.get', persona: 'm-1', decision: 'stale', result: '3 items', pushes: 1 },
    ...{ size: 44, tookMs: 12, isRefused: false, entries: all },
  });
});

test('calls of two members with one number stay apart', () => {
  const log = createRowLog();
  const [first, second, reply] = entries(
    call(1),
    { ...call(1, 'appdata.get'), place: 'm-2/1' },
    { kind: 'reply', call: 1, error: { code: 403, message: 'No.' }, tookMs: 1, size: 2, place: 'm-2/1' },
  );
  for (const entry of [first, second, reply]) log.add(entry as Entry);
  expect(log.rows.map(({ title, isRefused, persona }) => [title, isRefused, persona])).toEqual([
    ['people.get', false, 'm-1'],
    ['appdata.get', true, 'm-2'],
  ]);
});

test('search finds words in any order in calls, params and refusals; chips choose kinds; other labs stay out', () => {
  const log = createRowLog();
  for (const entry of entries(
    call(1),
    { kind: 'console', level: 'error', text: '<img src=x>' },
    { kind: 'reply', call: 1, error: { code: 403, message: 'Not declared.' }, tookMs: 1, size: 2 },
    { ...call(7), lab: 'other' },
    { kind: 'build', lab: '' },
  )) {
    log.add(entry);
  }
  const select = (search: string, ...chips: ('calls' | 'refusals' | 'builds' | 'console')[]) =>
    selectRows(log.rows, { search, chips: new Set(chips), labs }).map(({ number }) => number);
  expect(select('')).toEqual([1, 2, 5]);
  expect(select('declared PEOPLE')).toEqual([1]);
  expect(select('@viewer')).toEqual([1]);
  expect(select('', 'refusals')).toEqual([1, 2]);
  expect(select('', 'console', 'builds')).toEqual([2, 5]);
});

test('an entry of a kind that is not known is an event with its content', () => {
  const [entry] = entries({ kind: 'novelty', detail: 'x' } as unknown as LabEvent) as [Entry];
  expect(categoryOf(entry)).toBe('events');
  expect(describe(entry)).toEqual({ title: 'novelty', result: '{"detail":"x"}' });
});

test.each([
  [[1], '1 item'],
  [{ list: [1, 2], startIndex: 0 }, '2 items'],
  [{ a: 1 }, '1 member'],
  ['x'.repeat(400), `"${'x'.repeat(299)}…`],
  [undefined, 'nothing'],
])('a reply is said in a few words: %j', (value, text) => {
  expect(shapeOf(value)).toBe(text);
});

test.each([0, 1, 12, 20_000, 1_000_000])('a list of %i rows draws only those in sight (security rule 25)', (count) => {
  for (const scrollTop of [0, 1, 900, count * 30, 1e9]) {
    const { first, end } = visibleWindow({ count, rowHeight: 30, scrollTop, height: 600 });
    expect(end - first).toBeLessThanOrEqual(36);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(end).toBeLessThanOrEqual(count);
  }
});

test('the list keeps at most 20,000 rows and 50 entries of one, the call itself always (security rule 25)', () => {
  const log = createRowLog();
  const [first] = entries(call(1)) as [Entry];
  log.add(first);
  for (let number = 2; number <= 200; number++) {
    log.add({ ...first, number, kind: 'push', call: 1, ok: number, size: 1 });
  }
  expect(log.rows[0]?.entries).toHaveLength(50);
  expect(log.rows[0]?.entries[0]).toBe(first);
  for (let number = 201; number <= 50_000; number++)
    log.add({ ...first, number, kind: 'call', call: number, operation: 'x', params: {} });
  expect(log.rows.length).toBeLessThanOrEqual(20_000);
  expect(log.rows.at(-1)?.number).toBe(50_000);
});

const problem: Explanation = {
  id: 'undeclared-call',
  subject: 'people.get',
  what: 'It was refused.',
  cure: 'Declare it.',
};

test('a repeated problem is counted, and a document that loads anew ends those of its place', () => {
  let problems: readonly Problem[] = [];
  const [first, again, other, start] = entries(
    call(1),
    call(2),
    { ...call(1), place: 'm-2/1' },
    { kind: 'load', what: 'start' },
  );
  problems = nextProblems(problems, first as Entry, problem);
  problems = nextProblems(problems, again as Entry, problem);
  problems = nextProblems(problems, other as Entry, { ...problem, subject: 'appdata.get' });
  expect(problems.map(({ count }) => count)).toEqual([2, 1]);
  expect(nextProblems(problems, start as Entry).map(({ place }) => place)).toEqual(['m-2/1']);
});

test('a manifest that is read again ends the problem of the manifest, and a load does not; a build has its own card', () => {
  const [broken, start, works, build] = entries(
    { kind: 'manifest', problem: 'Unexpected token' },
    { kind: 'load', what: 'start' },
    { kind: 'manifest' },
    { kind: 'build', problem: { message: 'Unexpected token' } },
  ) as [Entry, Entry, Entry, Entry];
  const problems = nextProblems([], broken, problem);
  expect(nextProblems(problems, start)).toHaveLength(1);
  expect(nextProblems(problems, works)).toEqual([]);
  expect(nextProblems([], build, problem)).toEqual([]);
});

test('no more than 50 problems are kept (security rule 25)', () => {
  let problems: readonly Problem[] = [];
  for (let index = 0; index < 500; index++) {
    problems = nextProblems(problems, entries(call(index))[0] as Entry, { ...problem, subject: String(index) });
  }
  expect(problems).toHaveLength(50);
});
