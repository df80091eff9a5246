import { chooseLanguage, type Messages, messagesIn } from '@gantry/wire/texts';

/**
 * Loads the texts for a place on the page, whose language may differ from the page's. Rejects if
 * there are none, since no question may appear without words.
 */
export function loadMessagesAt(element: HTMLElement): Promise<Messages> {
  return messagesIn(chooseLanguage(element.closest<HTMLElement>('[lang]')?.lang || navigator.language));
}
