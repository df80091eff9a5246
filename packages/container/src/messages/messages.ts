import type { en } from './en.ts';

/** The container's own texts in one language, by key. */
export type Messages = Readonly<Record<keyof typeof en, string>>;

// Fetched when a page is in that language, while the page asks for its gadgets.
const languages: Readonly<Record<string, () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};

/** What there is to say before a language is here, and where none can be fetched. */
export const noMessages: Messages = new Proxy({} as Messages, { get: () => '' });

/** @param locale BCP 47 tag of the page. English where there is no file of its language. Never rejects. */
export async function loadMessages(locale: string): Promise<Messages> {
  const language = locale.toLowerCase().split('-')[0] as string;
  const load = languages[Object.hasOwn(languages, language) ? language : 'en'];
  return (await load?.().catch(() => undefined)) ?? noMessages;
}

/** Puts `values` where `text` names them. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
