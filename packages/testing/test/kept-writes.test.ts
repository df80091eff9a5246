import { createRecord, type Entry } from '@gantry/lab';
import type { WireError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { appDataProblems, postProblems, writesOf } from '../src/matchers/kept-writes.ts';

const eva = { app: 'zettel', viewer: 'eva' };

interface Sent {
  readonly operation?: string;
  readonly params: object;
  readonly ok?: unknown;
  readonly error?: WireError;
  /** Replied only after the next one was sent. */
  readonly isLate?: boolean;
}

function recordOf(writes: readonly Sent[]): readonly Entry[] {
  const record = createRecord({ now: () => 5_000 });
  const head = { lab: 'lab', app: 'zettel', place: 'eva/zettel-1' };
  const late: (() => void)[] = [];
  writes.forEach(({ operation = 'appdata.update', params, ok = {}, error, isLate }, index) => {
    const call = index + 1;
    record.add({ ...head, kind: 'call', call, operation, params });
    const reply = () =>
      void record.add({ ...head, kind: 'reply', call, ...(error ? { error } : { ok }), tookMs: 1, size: 1 });
    if (isLate) late.push(reply);
    else reply();
  });
  for (const reply of late) reply();
  return record.entries;
}

const data = (values: object, more: Partial<Sent> = {}): Sent => ({ params: { data: values }, ...more });
const problems = (sent: readonly Sent[], held: Readonly<Record<string, string>>) =>
  appDataProblems(writesOf(recordOf(sent), eva), held);

test('the last value of each key counts, whatever was written before', () => {
  const sent = [data({ score: 1, level: 'a' }), data({ score: 2 })];
  expect(problems(sent, { score: '2', level: 'a' })).toEqual([]);
  expect(problems(sent, { score: '1', level: 'a' })).toEqual([
    'lost: #2 appdata.update "score": the app was told that it saved "2", and the site holds "1".',
  ]);
  expect(problems(sent, { score: '2' })).toEqual([
    'lost: #1 appdata.update "level": the app was told that it saved "a", and the site has no such key.',
  ]);
});

test('a delete counts as a write, of keys and of all', () => {
  const deleted: Sent = { operation: 'appdata.delete', params: { keys: ['score'] } };
  expect(problems([data({ score: 1 }), deleted], {})).toEqual([]);
  expect(problems([data({ score: 1 }), deleted], { score: '1' })).toEqual([
    'lost: #2 appdata.delete "score": the app was told that it deleted it, and the site holds "1".',
  ]);
  const all: Sent = { operation: 'appdata.delete', params: { keys: '*' } };
  expect(problems([all], { other: 'x' })).toHaveLength(1);
  expect(problems([all, data({ other: 'x' })], { other: 'x' })).toEqual([]);
});

test('either value of two concurrent writes may stay', () => {
  const sent = [data({ score: 1 }, { isLate: true }), data({ score: 2 })];
  expect(problems(sent, { score: '1' })).toEqual([]);
  expect(problems(sent, { score: '2' })).toEqual([]);
  expect(problems(sent, {})).toHaveLength(1);
});

test('a refused write promised nothing, and one that broke may have been done', () => {
  const refused = { code: 403, message: 'no', data: { reason: 'NOT_GRANTED' } };
  const broken = { code: 502, message: 'lost', data: { reason: 'UPSTREAM_FAILED' } };
  expect(problems([data({ score: 1 }, { error: refused })], {})).toEqual([]);
  expect(problems([data({ score: 1 }), data({ score: 2 }, { error: refused })], { score: '2' })).toHaveLength(1);
  expect(problems([data({ score: 1 }), data({ score: 2 }, { error: broken })], { score: '2' })).toEqual([]);
});

test('keys that every object has are keys like others', () => {
  const sent = [data(JSON.parse('{"__proto__":"a","toString":"b"}') as object)];
  expect(problems(sent, JSON.parse('{"__proto__":"a","toString":"b"}') as Record<string, string>)).toEqual([]);
  expect(problems(sent, {})).toHaveLength(2);
});

const post = (title: string, more: Partial<Sent> = {}): Sent => ({
  operation: 'activities.create',
  params: { activity: { title } },
  ...more,
});
const posted = (sent: readonly Sent[], held: readonly { id: string; title: string; postedAtS: number }[]) =>
  postProblems(writesOf(recordOf(sent), eva), held);

test('a post is lost when its id is not there, and doubled when there are more of it than were sent', () => {
  const sent = [post('I won', { ok: { id: 'a-1' } })];
  const held = { id: 'a-1', title: 'I won', postedAtS: 5 };
  expect(posted(sent, [held])).toEqual([]);
  expect(posted(sent, [held, { ...held, id: 'a-0', postedAtS: 1 }])).toEqual([]); // of the world
  expect(posted(sent, [])).toEqual(['lost: #1 activities.create "I won": the site does not hold it.']);
  expect(posted(sent, [held, { ...held, id: 'a-2' }])).toEqual([
    'doubled: #1 activities.create "I won": posted 1 times, and the site holds 2.',
  ]);
});

test('a post whose outcome is unknown may be there once, and not twice', () => {
  const sent = [post('I won', { error: { code: 500, message: 'unknown', data: { reason: 'OUTCOME_UNKNOWN' } } })];
  const held = { id: 'a-1', title: 'I won', postedAtS: 5 };
  expect(posted(sent, [])).toEqual([]);
  expect(posted(sent, [held])).toEqual([]);
  expect(posted(sent, [held, { ...held, id: 'a-2' }])).toHaveLength(1);
});

test('writes of other members, other apps and reads are left out', () => {
  const entries = recordOf([data({ a: 1 }), { operation: 'appdata.get', params: {} }]);
  expect(writesOf(entries, { app: 'zettel', viewer: 'ev' })).toEqual([]);
  expect(writesOf(entries, { app: 'other', viewer: 'eva' })).toEqual([]);
  expect(writesOf(entries, eva)).toHaveLength(1);
});
