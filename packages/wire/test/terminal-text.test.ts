import { expect, test } from 'vitest';
import { terminalText } from '../src/runtime/index.ts';

test('a text keeps one line and steers no terminal, and emoji of astral planes stay whole (security rule 25)', () => {
  expect(terminalText('a\nb\u009b31m\u202e\u2028\u{e0001}\ud800 \u{1f600}')).toBe(
    'a b\\u{9b}31m\\u{202e}\\u{2028}\\u{e0001}\\u{d800} \u{1f600}',
  );
});

test('a long text is cut off, also where each character is escaped', () => {
  expect(terminalText('a'.repeat(100_000)).length).toBe(501);
  expect(terminalText('\u001b'.repeat(100_000)).length).toBe(501);
  expect(terminalText('a'.repeat(500))).toBe('a'.repeat(500));
});
