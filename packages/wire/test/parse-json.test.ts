import { parseJson } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);

test('JSON of 64 levels is read, of 65 refused (security rule 13)', () => {
  expect(parseJson(nested(64, '1'))).toBeDefined();
  expect(() => parseJson(nested(65, '1'))).toThrow('The JSON is deeper than 64.');
  expect(() => parseJson(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toThrow('The JSON is deeper than 64.');
  expect(() => parseJson(nested(100_000, ''))).toThrow('The JSON is deeper than 64.');
});

test.each([
  ['brackets in a text', JSON.stringify('['.repeat(100))],
  ['a quote in a text', JSON.stringify(`"${'['.repeat(100)}`)],
  ['backslashes before a quote', JSON.stringify([`\\\\"\\`, '['.repeat(100), '\\'])],
  ['siblings', `[${Array(100).fill('[]').join()}]`],
])('%s are no depth', (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('values are counted before they are made (security rule 34)', () => {
  const naive = JSON.parse;
  for (const text of ['[{},{}]', '[[],[]]', '{"a":{},"b":[]}', '[1,[2,3]]', '["a",{"b":1},2]']) {
    expect(parseJson(text, 64, 6)).toEqual(naive(text));
    expect(() => parseJson(text, 64, 3)).toThrow('The JSON has more than 3 values.');
  }
  expect(parseJson('["1,2,3,[,{",7]', 64, 3)).toEqual(['1,2,3,[,{', 7]); // commas in strings do not count
  const many = `[${'{},'.repeat(300_000)}{}]`;
  expect(() => parseJson(many, 64, 50_000)).toThrow('more than 50000 values');
  expect(naive(many)).toHaveLength(300_001); // the control
});

test.each([
  ['after a text that ends in backslashes', `["\\\\\\\\",${nested(64, '1')}]`],
  ['after a text with a quote', `["\\"",${nested(64, '1')}]`],
  ['as the name of nothing', `{"\\\\":${nested(64, '1')}}`],
])('depth is seen %s', (_, text) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(() => parseJson(text)).toThrow('The JSON is deeper than 64.');
});

test('whatever is written as JSON is read as it was, and text without an end is an error', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
  for (const text of ['"', '"\\', '["a', '{"a":"b\\"']) expect(() => parseJson(text)).toThrow(SyntaxError);
});
