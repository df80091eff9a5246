import { expect, test } from 'vitest';
import { fill } from '../../src/messages/fill.ts';
import { loadMessages } from '../../src/messages/messages.ts';

test.each([
  ['fr-CA', 'Fermer'],
  ['de', 'Schließen'],
  ['pt-BR', 'Close'],
  ['', 'Close'],
])('texts of the page in %s', async (locale, close) => {
  expect((await loadMessages(locale)).close).toBe(close);
});

test('fills in values literally, also those that look like placeholders', () => {
  expect(fill('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  expect(fill('{a} and {other}', { a: '1' })).toBe('1 and {other}');
});
