import { OAuthError, parseForm, parseTarget } from '@gantry/oauth';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('keeps the raw path and decodes the query of the RFC (RFC 5849 §3.4.1.3.1)', () => {
  expect(parseTarget('/r%20v/X?b5=%3D%253D&a3=a&c%40=&a2=r%20b')).toEqual({
    path: '/r%20v/X',
    query: [
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
    ],
  });
});

test.each([
  ['a=b=c', [['a', 'b=c']]],
  ['a=1+2%2B3%203', [['a', '1 2+3 3']]],
  ['a+b=1', [['a b', '1']]],
  ['a=1?b=2', [['a', '1?b=2']]],
  [
    '__proto__=1&constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
  [
    'a&b=&=c',
    [
      ['a', ''],
      ['b', ''],
      ['', 'c'],
    ],
  ],
  ['&&a=1&', [['a', '1']]],
  [
    'a=1&a=1',
    [
      ['a', '1'],
      ['a', '1'],
    ],
  ],
  ['a=%F0%9F%98%80', [['a', '😀']]],
  ['a=1;b=2', [['a', '1;b=2']]],
  ['', []],
])('reads the query %s (security rule 16)', (query, parameters) => {
  expect(parseTarget(`/?${query}`).query).toEqual(parameters);
});

test('reads a form as URLSearchParams does, whatever its characters', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const form = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
      expect(parseForm(form.toString())).toEqual(pairs);
    }),
  );
});

test.each([
  ['a bad escape in the query', '/?a=%zz'],
  ['a bad escape in a name', '/?%=1'],
  ['a cut escape', '/?a=%2'],
  ['bytes that are not UTF-8', '/?a=%ff'],
  ['an overlong encoding', '/?a=%c0%af'],
  ['half a surrogate pair', '/?a=%ed%a0%80'],
  ['a bad escape in the path', '/%zz'],
  ['a path that is not UTF-8', '/%ff'],
  ['an absolute form', 'http://h/'],
  ['an authority form', 'h:80'],
  ['an asterisk', '*'],
  ['nothing', ''],
  ['a fragment', '/a#b'],
  ['a space', '/a b'],
  ['a tab', '/a\tb'],
  ['a raw byte beyond ASCII', '/\u00e9'],
])('refuses a target with %s (contract §1; security rule 16)', (_, target) => {
  expect(() => parseTarget(target)).toThrow(OAuthError);
  expect(() => parseTarget(target)).toThrow(expect.objectContaining({ status: 400, problem: 'parameter_rejected' }));
});

const pairs = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');

test('a query or form has at most 1,000 parameters (contract §8, security rule 25)', () => {
  expect(parseForm(pairs(1_000))).toHaveLength(1_000);
  expect(parseForm(`${pairs(1_000)}&`)).toHaveLength(1_000);
  expect(() => parseForm(pairs(1_001))).toThrow('A request has at most 1000 parameters.');
  expect(() => parseTarget(`/?${pairs(1_001)}`)).toThrow('A request has at most 1000 parameters.');
});

test('too many parameters are refused before one is decoded (security rule 25)', () => {
  expect(() => parseForm(`%zz&${pairs(1_001)}`)).toThrow('A request has at most 1000 parameters.');
  expect(() => parseForm(`%zz&${pairs(1)}`)).toThrow(/Percent-encode/); // the positive control
});

test('the name of a parameter has at most 64 characters, decoded once (contract §8, security rule 25)', () => {
  const escaped = '%C3%A9'.repeat(64);
  expect(parseForm(escaped)).toEqual([['é'.repeat(64), '']]);
  expect(parseForm('a%2525b=1')).toEqual([['a%25b', '1']]); // decoded once only
  expect(() => parseForm(`${escaped}x=1`)).toThrow('The name of a parameter has at most 64 characters; one begins');
});
