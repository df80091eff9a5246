import { type PermissionName, sentenceFor } from '@gantry/wire';
import { textElement } from '../chrome/dialog.ts';
import type { ConsentMessages } from '../messages/consent-en.ts';

/** What permissions mean, a sentence each. */
export function sentenceList(names: readonly PermissionName[], words: ConsentMessages): HTMLElement {
  const list = textElement('ul', '');
  list.append(...names.map((name) => textElement('li', sentenceFor(name, words.sentences))));
  return list;
}
