import { expect, test } from 'vitest';
import { chooseLanguage, languages } from '../src/texts/languages.ts';

test.each([
  ['a tag', 'de', 'de'],
  ['a region and a script', 'FR-Latn-CA', 'fr'],
  ['a language that only begins like another', 'frr, den', 'en'],
  ['the first of equals', 'fr, de', 'fr'],
  ['qualities', 'en;q=0.5, de;q=0.7, fr;q=0.6', 'de'],
  ['a language that is excluded', 'de;q=0, fr;q=0.1', 'fr'],
  ['a wildcard', '*, de;q=0.5', 'de'],
  ['none that there is', 'ja, pt-BR', 'en'],
  ['no language', '', 'en'],
  ['what is no header', ';;q=, \u0000, __proto__, constructor;q=1', 'en'],
])('chooses by %s (RFC 9110 §12.5.4)', (_, header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});

test('chooses the first of a list of tags', () => {
  expect(chooseLanguage(['ja', 'fr-CH', 'de'])).toBe('fr');
  expect(chooseLanguage([])).toBe('en');
});

test('English is first, and each language is found by its own tag', () => {
  expect(languages[0]).toBe('en');
  for (const language of languages) expect(chooseLanguage(language)).toBe(language);
});

test('reads the start of a hostile header only (security rule 25)', () => {
  expect(chooseLanguage(`${'x,'.repeat(20)}de`)).toBe('en');
  expect(chooseLanguage(`${' '.repeat(1_000)}de`)).toBe('en');
  expect(chooseLanguage([...Array.from({ length: 20 }, () => 'ja'), 'de'])).toBe('en');
  expect(chooseLanguage(['x'.repeat(10_000_000), 'de'])).toBe('de');
});
