import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { recoverTape } from '../src/tape/read-tape-file.ts';

const head = { tape: 1, release: '0.1.0', host: 'lab', app: 'notes', scenario: {}, startMs: 0, isRedacted: true };
const call = {
  number: 1,
  kind: 'call',
  call: 1,
  operation: 'people.get',
  params: {},
  offsetMs: 5,
  app: 'notes',
  place: 'm-1/notes#1',
};
const textOf = (...lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function refusalOf(text: string): string {
  try {
    recoverTape(text);
  } catch (error) {
    if (error instanceof SocialError) return error.message;
  }
  return 'read';
}

test('a tape is read whole, kinds of proxy and tools too', () => {
  const upstream = { number: 2, kind: 'upstream', method: 'GET', target: '/a', status: 200, tookMs: 3, offsetMs: 6 };
  const { head: read, entries, problems } = recoverTape(textOf(head, call, upstream));
  expect(read).toEqual(head);
  expect(entries).toEqual([call, upstream]);
  expect(problems).toEqual([]);
});

test('a tape that is cut off is read up to its last line, and a sentence says so', () => {
  const { entries, problems } = recoverTape(`${textOf(head, call)}{"number":2,"kind":"re`);
  expect(entries).toEqual([call]);
  expect(problems).toEqual([
    'The last line is cut off: what wrote the tape was ended meanwhile. All before it is shown.',
  ]);
});

test('a newer tape is read without its unknown entries, and a sentence names both versions', () => {
  const { entries, problems } = recoverTape(textOf({ ...head, tape: 2, release: '9.0.0' }, call, { kind: 'later' }));
  expect(entries).toEqual([call]);
  expect(problems[0]).toContain('Gantry 9.0.0 wrote this tape in version 2, and this one reads version 1:');
  expect(problems[1]).toBe('1 line is no entry that this version knows: left out.');
});

test.each([
  ['an empty file', ''],
  ['a text', 'hello\nworld\n'],
  ['other JSON', '{"a":1}\n'],
  ['a list', '[1,2]'],
  ['a picture', '\u0089PNG\r\n\u001a\n'],
  ['JSON of endless depth', '['.repeat(200_000)],
])('%s is no tape', (_, text) => {
  expect(refusalOf(text)).toMatch(/^This is no tape: /);
});

test('a hostile entry is rebuilt or left out: names of prototypes, wrong types, depth, length (security rules 19 and 25)', () => {
  const deep = `{"number":9,"kind":"call","call":1,"operation":"a","offsetMs":1,"params":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`;
  const proto =
    '{"number":3,"kind":"call","call":1,"operation":"a","params":{"__proto__":{"x":1}},"offsetMs":1,"__proto__":{"y":1}}\n';
  const wrong = [
    { ...call, operation: { toString: 1 } },
    { ...call, offsetMs: null },
    { ...call, number: -1 },
    { ...call, kind: 'constructor' },
    { ...call, kind: 'reply', size: 'x' },
  ];
  const long = { ...call, operation: 'x'.repeat(1_000_000) };
  const { entries, problems } = recoverTape(textOf(head, ...wrong, long) + deep + proto);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ operation: 'x'.repeat(4_000) });
  expect(Object.keys(entries[1] as object)).not.toContain('y');
  expect(problems).toEqual(['6 lines are no entry that this version knows: left out.']);
});

test('a wrong head is named', () => {
  expect(refusalOf(textOf({ ...head, host: '<b>' }))).toBe('This is no tape: its first line has a wrong host.');
});
