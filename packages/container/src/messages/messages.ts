import { en } from './en.ts';

/** The container's own texts in one language, by key. */
export type Messages = Readonly<Record<keyof typeof en, string>>;

// Fetched when a page is in that language. English is here already: it is what shows when a file cannot be fetched.
const others: Readonly<Record<string, () => Promise<Messages>>> = {
  de: async () => (await import('./de.ts')).de,
};

/** @param locale BCP 47 tag of the page. English where there is no file of its language. */
export async function loadMessages(locale: string): Promise<Messages> {
  const language = locale.toLowerCase().split('-')[0] as string;
  const load = Object.hasOwn(others, language) ? others[language] : undefined;
  return (await load?.().catch(() => undefined)) ?? en;
}

/** Puts `values` where `text` names them. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
