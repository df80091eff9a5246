import type { Messages } from './en.ts';

/** Languages of all texts that members read, English first: the one that others fall back to. */
export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

// Imports by name, each a chunk of its own: bundlers cannot follow a path that is put together.
const load: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
};

const maxTags = 20;
const maxLength = 1_000;
const weighted = /^ *([a-z]+)(?:-[a-z\d-]*)? *(?:; *q=([01](?:\.\d{0,3})?) *)?$/i;

/**
 * Returns the supported language that is wanted most, `en` if none is. Regions and scripts are
 * ignored. Never throws; text beyond 1,000 characters or 20 tags is not read.
 *
 * @param wanted BCP 47 tags, the most wanted first, or an `Accept-Language` value.
 * @see RFC 9110 §12.5.4
 */
export function chooseLanguage(wanted: readonly string[] | string): Language {
  const ranges = typeof wanted === 'string' ? wanted.slice(0, maxLength).split(',') : wanted;
  let [best, most]: [Language, number] = ['en', 0];
  for (const range of ranges.slice(0, maxTags)) {
    const [, tag = '', quality = 1] = weighted.exec(range.slice(0, maxLength)) ?? [];
    const language = languages.find((one) => one === tag.toLowerCase());
    if (language && +quality > most) [best, most] = [language, +quality];
  }
  return best;
}

/** Loads the texts of a language, or English ones. @throws if those cannot be fetched either. */
export function messagesIn(language: Language): Promise<Messages> {
  return load[language]().catch(load.en);
}
