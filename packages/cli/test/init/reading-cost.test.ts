import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import { parseScript } from '../../src/project/script.ts';

test.each<[string, number, (size: number) => string]>([
  ['imports that do not end', 1_500, (size) => 'import { \n'.repeat(size)],
  ['one sum', 1_000, (size) => `a = ${'a + '.repeat(size)}a;\n`],
  ['white space', 32_000, (size) => `app${' '.repeat(size)}`],
  ['calls', 1_500, (size) => 'app.use(a);\n'.repeat(size)],
])('a source of %s costs no more than reading it (security rule 25)', async (_, n, text) => {
  const prepare = (size: number) => {
    const source = text(size);
    return () => parseScript('a.js', source);
  };
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('a source that is nested too deeply, or would take the parser years, is left unread (security rule 25)', () => {
  expect(parseScript('a.js', '['.repeat(100_000))).toBeUndefined();
  const casts = (depth: number) => `${'<T>('.repeat(depth)}1${')'.repeat(depth)}`;
  expect(parseScript('a.ts', casts(200))).toBeUndefined();
  expect(parseScript('a.ts', casts(2))).toBeDefined(); // control
});
