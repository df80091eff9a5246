import { type PermissionName, sentenceFor } from '@gantry/wire';
import { textElement } from '../chrome/text-element.ts';
import type { Messages } from '../messages/messages.ts';

/** Returns a list with the sentence of each permission. */
export function sentenceList(names: readonly PermissionName[], words: Messages): HTMLElement {
  const list = textElement('ul', '');
  list.append(...names.map((name) => textElement('li', sentenceFor(name, words.sentences))));
  return list;
}
