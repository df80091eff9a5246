import { expect, test } from 'vitest';
import { slowExpressions, slowParts } from '../expressions.ts';

test.each([
  ['(a+)+$', 'a+ is repeated in (a+)+'],
  ['^(?:\\s+|x)*y', '\\s+ is repeated in'],
  ['(?:<!--[^]*?-->)*', '[^]*? is repeated in'],
  ['([a-z]+_?)*;', '[a-z]+ is repeated in'],
  ['(?:(?:a|b)+c?)+', '(?:a|b)+ is repeated in'],
  ['(?:\\w|_)+;', '\\w and _ have characters in common'],
  ['(a{0,50})*b', 'a{0,50} is repeated in'],
  ['\\s*\\s*x', '\\s* and \\s* have characters in common'],
  ['\\d+x?\\w*;', '\\d+ and \\w* have characters in common'],
  ['\\S+\\b.*x', '\\S+ and .* have characters in common'],
  ['.*(\\s+)y', '.* and \\s+ have characters in common'],
])('finds %s', (pattern, problem) => {
  expect(slowParts(pattern, '')).toContainEqual(expect.stringContaining(problem));
});

test.each([
  '^[a-z]+(?:-[a-z]+)*$',
  '^(?:[^"\\\\]|\\\\.)*"',
  '(?:\\s|x)*y',
  '\\s*=\\s*',
  '\\w*(-\\w+)*',
  '\\w+\\b.*x',
  '(?:ab*)*',
  '(?=a+)+b',
  '(a{0,5})*b',
])('lets %s be', (pattern) => {
  expect(slowParts(pattern, '')).toEqual([]);
});

test('reads flags: letters of both cases meet', () => {
  expect(slowParts('a*A*b', '')).toEqual([]);
  expect(slowParts('a*A*b', 'i')).toHaveLength(1);
});

test('finds literals and constant parts of RegExp, each with its line, and no text that looks like one', () => {
  const text = [
    "const a: string = '/(a+)+/';",
    'const b = a.replace(/(b+)+$/g, a);',
    `const c = new RegExp(\`^\${a}(c+)+$\`, "u");`,
    "const d = new RegExp('(d+)+');",
    'const e = new RegExp(a);',
  ].join('\n');
  expect(slowExpressions('x.ts', text)).toEqual([
    { line: 2, problem: 'b+ is repeated in (b+)+' },
    { line: 3, problem: 'c+ is repeated in (c+)+' },
    { line: 4, problem: 'd+ is repeated in (d+)+' },
  ]);
});

test('a comment with the reason lets an expression be', () => {
  const slow = 'const a = /(a+)+$/;';
  expect(slowExpressions('x.ts', `// linear: at most ten letters\n${slow}`)).toEqual([]);
  expect(slowExpressions('x.ts', `// linear:\n${slow}`)).toHaveLength(1);
});
