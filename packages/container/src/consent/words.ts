import { type ConsentMessages, consentEn } from '../messages/consent-en.ts';

const others: Readonly<Record<string, () => Promise<ConsentMessages>>> = {
  de: async () => (await import('../messages/consent-de.ts')).consentDe,
};

/** @param element In the language of this place; English where there is no file of it. */
export async function loadWords(element: HTMLElement): Promise<ConsentMessages> {
  const locale = element.closest<HTMLElement>('[lang]')?.lang || navigator.language;
  const language = locale.toLowerCase().split('-')[0] as string;
  const load = Object.hasOwn(others, language) ? others[language] : undefined;
  return (await load?.().catch(() => undefined)) ?? consentEn;
}
