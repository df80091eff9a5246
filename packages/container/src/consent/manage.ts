import { sentenceFor } from '@gantry/wire';
import { openDialog } from '../chrome/dialog.ts';
import { textElement } from '../chrome/text-element.ts';
import type { Gadget } from '../gadget.ts';
import { fill } from '../messages/fill.ts';
import { loadMessagesAt } from '../messages/load-messages-at.ts';
import type { Messages } from '../messages/messages.ts';
import { appName } from './app-name.ts';
import { sentenceList } from './sentence-list.ts';

/** Shows an app's permissions in a dialog, to revoke them or to choose optional ones. */
export async function managePermissions(options: {
  readonly gadget: Gadget;
  readonly element: HTMLElement;
  readonly messages: Messages;
  /** Closes the dialog. */
  readonly signal: AbortSignal;
}): Promise<void> {
  const { gadget, element, messages, signal } = options;
  const words = await loadMessagesAt(element);
  const { permissions } = gadget.context;
  const choosable = gadget.consent.optional;
  const needs = permissions.filter((name) => !choosable.includes(name));
  const boxes = choosable.map((name) => ({
    name,
    ...choice(sentenceFor(name, words.sentences), permissions.includes(name)),
  }));
  const removal = choice(words.removesData, false);
  const content = [
    ...(needs.length > 0 ? [textElement('p', words.needs), sentenceList(needs, words)] : []),
    ...(boxes.length > 0 ? [textElement('p', words.chosen), ...boxes.map(({ label }) => label)] : []),
    ...(permissions.length > 0 && gadget.canRemoveData ? [removal.label] : []),
  ];
  const chosen = await openDialog({
    title: fill(words.manageTitle, { title: appName(gadget) }),
    content: content.length > 0 ? content : words.nothing,
    actions: [
      { id: 'close', label: messages.close },
      ...(permissions.length > 0 ? [{ id: 'revoke' as const, label: words.takeBack }] : []),
      ...(boxes.length > 0 ? [{ id: 'save' as const, label: words.save, isPrimary: true }] : []),
    ],
    messages,
    place: element,
    signal,
  });
  if (chosen === 'revoke')
    await gadget.decide({ revoke: permissions, ...(removal.box.checked && { removesData: true }) });
  if (chosen === 'save') {
    const grant = boxes.filter(({ box }) => box.checked).map(({ name }) => name);
    const revoke = boxes.filter(({ name, box }) => !box.checked && permissions.includes(name)).map(({ name }) => name);
    await gadget.decide({ grant, revoke });
  }
}

function choice(text: string, checked: boolean): { readonly label: HTMLElement; readonly box: HTMLInputElement } {
  const label = textElement('label', '', { className: 'choice' });
  const box = textElement('input', '', { type: 'checkbox', checked });
  label.append(box, textElement('span', text));
  return { label, box };
}
