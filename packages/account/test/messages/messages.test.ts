import { languages } from '@gantry/wire/texts';
import { describe, expect, test } from 'vitest';
import { en, type TextKey } from '../../src/messages/en.ts';
import { createTexts, messagesByLanguage } from '../../src/messages/texts.ts';

const keys = Object.keys(en) as TextKey[];
const placeholders = (text: string) => [...text.matchAll(/\{(\w*)\}/g)].map(([, name]) => name).sort();

describe.each(languages)('texts of the account pages in %s', (language) => {
  const messages = messagesByLanguage[language];

  test.each(keys)('%s is there, plain, with the placeholders of the English one', (key) => {
    expect(Object.keys(messages)).toHaveLength(keys.length);
    expect(messages[key]).toMatch(/\S/);
    expect(messages[key]).not.toMatch(/[<>&]/);
    expect(placeholders(messages[key])).toEqual(placeholders(en[key]));
  });
});

test('numbers, dates and plurals are those of the language', () => {
  const of = (language: string) => {
    const texts = createTexts(language);
    return [
      texts.say('form.fields', { count: 1_000 }),
      texts.date(Date.UTC(2026, 2, 1), 'UTC'),
      texts.count('album.photos', 0),
      texts.count('album.photos', 1),
      texts.count('album.photos', 2),
    ].join(' | ');
  };
  expect(of('en')).toBe('A form has at most 1,000 fields. | March 1, 2026 | 0 photos | 1 photo | 2 photos');
  expect(of('de')).toBe('Ein Formular hat höchstens 1.000 Felder. | 1. März 2026 | 0 Fotos | 1 Foto | 2 Fotos');
  expect(of('fr')).toBe(
    'Un formulaire a au plus 1\u202f000\u00a0champs. | 1 mars 2026 | 0\u00a0photo | 1\u00a0photo | 2\u00a0photos',
  );
});

test('a value is text wherever it stands, and no placeholder of another (security rule 7)', async () => {
  const texts = createTexts('en');
  expect(String(await texts.rich('consent.code', { app: '<b>{app}</b>' }))).toBe(
    'You will be shown a code to type into &lt;b&gt;{app}&lt;/b&gt;.',
  );
  expect(texts.say('consent.deniedText', { app: '{app}$&' })).toContain('{app}$& got no access');
});
