import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitsPage } from '../limits.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');

test('the numbers of docs/limits.md are those of the code; node scripts/limits.ts writes them', () => {
  expect(limitsPage(page)).toBe(page);
});

test('a number that is not that of the code is replaced, in the unit of the page', () => {
  const wrong = page.replace('| 16 KiB together, 100 headers |', '| 8 KiB together, 90 headers |');
  expect(wrong).not.toBe(page);
  expect(limitsPage(wrong)).toBe(page);
});
