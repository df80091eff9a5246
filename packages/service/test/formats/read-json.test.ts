import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../src/formats/read-json.ts';

const parse = (text: string) => JSON.parse(JSON.stringify(readJson(text)));

test('reads what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 8 }), (value) => {
      fc.pre(JSON.stringify(value).isWellFormed());
      expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(parse(JSON.stringify(value, null, '\t\r\n '))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('takes and refuses the same texts as JSON.parse, repeated keys and lone surrogates apart', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    'b',
    '1',
    '-',
    '.5',
    'e9',
    'true',
    'null',
    ' ',
    '\n',
    '\u0001',
    '"\\u00e9"',
    '"\\x"',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (chosen) => {
      const text = chosen.join('');
      let expected: unknown;
      try {
        expected = { value: JSON.parse(JSON.stringify(JSON.parse(text))) }; // 1e999 becomes null
      } catch {
        expected = 'refused';
      }
      let read: unknown;
      try {
        read = { value: parse(text) };
      } catch {
        read = 'refused';
      }
      if (read === 'refused' && /"a".*"a"/s.test(text)) return; // a key may be repeated
      expect(read, text).toEqual(expected);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":2,"\\u0061":3}',
  '[{"x":{"a":1,"a":1}}]',
  '{"__proto__":1,"__proto__":2}',
  '{"constructor":1,"constructor":1}',
])('%s repeats a key (contract §2)', (text) => {
  expect(() => readJson(text)).toThrow('a key that is not repeated');
  expect(() => JSON.parse(text)).not.toThrow(); // the control
});

test('keys of Object.prototype are data, and reach no prototype (security rule 19)', () => {
  const read = readJson('{"__proto__":{"admin":true},"constructor":"c","toString":"t"}');
  expect(Object.entries(read as object).map(([key]) => key)).toEqual(['__proto__', 'constructor', 'toString']);
  expect((read as { admin?: boolean }).admin).toBeUndefined();
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test('nesting is at most 64 deep (contract §2)', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(() => readJson(nested(64))).not.toThrow();
  expect(() => readJson(nested(65))).toThrow('nesting of at most 64');
  expect(() => readJson(`{"a":`.repeat(65))).toThrow('nesting of at most 64');
});

test.each([
  ['empty objects', '{}'],
  ['empty lists', '[]'],
  ['empty texts', '""'],
  ['numbers', '0'],
])('a body has at most 50,000 values, such as %s (security rule 34)', (_, value) => {
  const list = (count: number) => `[${Array(count).fill(value).join()}]`;
  expect(readJson(list(49_999))).toHaveLength(49_999); // the list itself counts too
  expect(() => readJson(list(50_000))).toThrow('A body has at most 50000 values in JSON.');
  expect(JSON.parse(list(50_000))).toHaveLength(50_000); // the control
});

test('empty objects take no memory of their own, and cannot be changed (security rule 34)', () => {
  const [first, second] = readJson('[{},{ }]') as readonly Record<string, unknown>[];
  expect(first).toBe(second);
  expect(Object.getPrototypeOf(first)).toBeNull();
  expect(() => Object.assign(first as object, { a: 1 })).toThrow(TypeError);
});

test('values count at any depth, as members of objects, too', () => {
  const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":[]`).join()}}`;
  expect(() => readJson(`[${object(20_000)},${object(29_997)}]`)).not.toThrow();
  expect(() => readJson(`[${object(20_000)},${object(29_998)}]`)).toThrow('at most 50000 values');
});

test.each(['"\\ud800"', '{"\\udc00x":1}', '"\\ude00\\ud83d"'])('%s has no UTF-8', (text) => {
  expect(() => readJson(text)).toThrow('without lone surrogates');
  expect(readJson('"\\ud83d\\ude00"')).toBe('😀'); // the control
});

test('the message says where (contract §4)', () => {
  expect(() => readJson('{"a":}')).toThrow('The body is not valid JSON: expected a value at offset 5.');
});
