import { expect, test } from 'vitest';
import { en } from '../src/texts/en.ts';
import { languages, messagesIn } from '../src/texts/languages.ts';

type Texts = { readonly [key: string]: string | Texts };

/** Returns `[path, placeholders]` of each text. */
function placeholdersOf(texts: Texts, path = ''): [path: string, placeholders: string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[`${path}${key}`, (text.match(/\{\w+\}/g) ?? []).sort().join(' ')] as [string, string]]
      : placeholdersOf(text, `${path}${key}: `),
  );
}

test.each(languages)('%s has all texts, with the placeholders of the English ones', async (language) => {
  const messages = await messagesIn(language);
  expect(messages.language).toBe(language);
  expect(Object.fromEntries(placeholdersOf(messages))).toEqual(Object.fromEntries(placeholdersOf(en)));
  expect(Object.values({ ...messages, ...messages.sentences })).not.toContain('');
});

test('French has spaces that do not break before its punctuation, and typographic apostrophes', async () => {
  const { sentences, ...texts } = await messagesIn('fr');
  for (const text of Object.values({ ...texts, ...sentences })) {
    expect(text).not.toMatch(/[^\u00a0\u202f][:;?!»]|«[^\u00a0]|'/);
  }
});
