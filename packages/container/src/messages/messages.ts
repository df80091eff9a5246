import { chooseLanguage, type Messages, messagesIn } from '@gantry/wire/texts';

export type { Messages } from '@gantry/wire/texts';

/** Empty texts, until those of a language are loaded, or if none can be fetched. */
export const noMessages: Messages = new Proxy({} as Messages, { get: () => '' });

/**
 * Loads the texts of the page's language, or English ones. Never rejects.
 *
 * @param locale BCP 47 tag.
 */
export function loadMessages(locale: string): Promise<Messages> {
  return messagesIn(chooseLanguage(locale)).catch(() => noMessages);
}
