import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { mostTapeEntries, readTapeFile } from '../src/tape/read-tape-file.ts';

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
    readTapeFile(text);
  } catch (error) {
    if (error instanceof SocialError) return error.message;
  }
  return 'read';
}

test('a tape is read whole, kinds of proxy and tools too', () => {
  const upstream = { number: 2, kind: 'upstream', method: 'GET', target: '/a', status: 200, tookMs: 3, offsetMs: 6 };
  const { head: read, entries, problems } = readTapeFile(textOf(head, call, upstream));
  expect(read).toEqual(head);
  expect(entries).toEqual([call, upstream]);
  expect(problems).toEqual([]);
});

test('of a tape whose writer was killed all but the last line is read, and a sentence says so', () => {
  const { entries, problems } = readTapeFile(`${textOf(head, call)}{"number":2,"kind":"re`);
  expect(entries).toEqual([call]);
  expect(problems).toEqual([
    'The last line is cut off: what wrote the tape was ended meanwhile. All before it is shown.',
  ]);
});

test('of a newer tape what is known is read, and a sentence names both versions', () => {
  const { entries, problems } = readTapeFile(textOf({ ...head, tape: 2, release: '9.0.0' }, call, { kind: 'later' }));
  expect(entries).toEqual([call]);
  expect(problems[0]).toContain('Gantry 9.0.0 wrote this tape in version 2, and this one reads version 1.');
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
    { ...call, offsetMs: 1e300 },
    { ...call, place: '<img>' },
    { ...call, number: -1 },
    { ...call, kind: 'constructor' },
    { ...call, kind: 'reply', size: 'x' },
  ];
  const { entries, problems } = readTapeFile(textOf(head, ...wrong) + deep + proto);
  expect(entries).toHaveLength(1);
  expect(Object.keys(entries[0] as object)).not.toContain('y');
  expect(problems).toEqual(['7 lines are no entry that this version knows: left out.']);
});

test('a hostile head has its defaults', () => {
  const odd = { tape: 1, app: ['x'], host: '<b>', scenario: 'x', startMs: -1, test: 'x', release: {} };
  expect(readTapeFile(textOf(odd)).head).toEqual({
    ...{ tape: 1, release: 'unknown', host: 'site', app: 'unknown', scenario: {}, startMs: 0, isRedacted: false },
    test: undefined,
  });
});

test('no more entries are shown than a record keeps (security rule 25)', () => {
  const { entries, problems } = readTapeFile(textOf(head) + textOf(call).repeat(mostTapeEntries + 5));
  expect(entries).toHaveLength(mostTapeEntries);
  expect(problems).toEqual(['The tape has more than 20,000 entries: the first ones are shown.']);
});
