import { chromeEn } from './chrome-en.ts';
import type { Messages } from './messages.ts';

/** Texts of the container's chrome beside those of its elements, by key. */
export type ChromeMessages = Readonly<Record<keyof typeof chromeEn, string>>;

const others: Readonly<Record<string, () => Promise<ChromeMessages>>> = {
  de: async () => (await import('./chrome-de.ts')).chromeDe,
};

/** @param locale BCP 47 tag of the page. @returns All texts in its language; in English where there is no file of it. */
export async function withChromeMessages(messages: Messages, locale: string): Promise<Messages & ChromeMessages> {
  const language = locale.toLowerCase().split('-')[0] as string;
  const load = Object.hasOwn(others, language) ? others[language] : undefined;
  return { ...messages, ...((await load?.().catch(() => undefined)) ?? chromeEn) };
}
