import { layersOf } from '../layers/page-layers.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { adoptStyles } from './css.ts';
import { dialogStyles } from './dialog-styles.ts';
import { focusedElement } from './focused.ts';
import { giveFocus } from './give-focus.ts';
import { holdInput } from './hold-input.ts';
import { copyPalette } from './palette.ts';
import { paletteStyles } from './palette-styles.ts';
import { questionStyles } from './question-styles.ts';
import { textElement } from './text-element.ts';

/** A button of a dialog. */
export interface DialogAction<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** The action that the dialog is about. Stands last and is never focused first. */
  readonly isPrimary?: boolean;
}

export interface DialogOptions<Id extends string> {
  readonly title: string;
  /** Text, with its line breaks, or nodes of the container, in which an app's text is text. */
  readonly content: string | readonly Node[];
  /** In reading order. The first is focused, so the harmless one comes first. */
  readonly actions: readonly DialogAction<Id>[];
  readonly messages: Messages;
  /** Registered name of the app that asks, shown above the title. Never a title of the app's. */
  readonly app?: string | undefined;
  /** Element whose `--gantry-*` colours, scheme and direction apply. */
  readonly place: Element;
  /** Closes the dialog as if it had been cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the member in a modal dialog of the container. It is in the top layer, keeps apps from
 * painting above it, and takes no input for half a second after it appeared, moved, was covered,
 * was resized or its window regained the focus (security rules 7 and 26). Restores the focus.
 *
 * @returns Id of the chosen action; `undefined` if Escape or `signal` cancelled the dialog.
 */
export function openDialog<Id extends string>(options: DialogOptions<Id>): Promise<Id | undefined> {
  const { title, content, actions, messages, app, place, signal } = options;
  if (signal?.aborted) return Promise.resolve(undefined);
  const host = document.createElement('gantry-dialog');
  copyPalette(host, place);
  host.lang = messages.language;
  const root = host.attachShadow({ mode: 'open' });
  adoptStyles(root, paletteStyles);
  adoptStyles(root, questionStyles);
  adoptStyles(root, dialogStyles);

  const dialog = document.createElement('dialog');
  const heading = textElement('h2', title, { id: 'title' });
  const body = textElement('div', '', { id: 'content', className: 'content' });
  body.append(...(typeof content === 'string' ? [textElement('p', content)] : content));
  const row = textElement('div', '', { className: 'actions' });
  dialog.setAttribute('aria-labelledby', app === undefined ? 'title' : 'asker title');
  dialog.setAttribute('aria-describedby', 'content');
  if (app !== undefined) {
    dialog.append(textElement('p', fill(messages.appAsks, { title: app }), { id: 'asker', className: 'asker' }));
  }
  dialog.append(heading, body, row);
  root.append(dialog);

  const before = focusedElement();
  const chosen = Promise.withResolvers<Id | undefined>();
  const buttons = actions.map(({ id, label, isPrimary }) => {
    const button = textElement('button', label, { type: 'button', className: isPrimary ? 'action primary' : 'action' });
    button.addEventListener('click', () => end(id));
    return button;
  });
  row.append(...buttons);

  const input = holdInput(dialog, () => root.querySelectorAll('button'));
  dialog.addEventListener('scroll', input.hold, { capture: true }); // buttons may move under a finger
  // Closes at once: browsers fire `close` in a later task, and until then nothing visible would
  // have the focus.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (!input.isHeld) end();
  });
  const { signal: over } = input;
  dialog.addEventListener('close', () => end(), { signal: over }); // browsers may insist on Escape; cancelling is never the dangerous choice

  function end(id?: Id): void {
    input.end();
    dialog.close();
    host.remove();
    closeModal();
    if (before instanceof HTMLElement) giveFocus(before); // browsers do not restore it to a frame in a shadow tree
    chosen.resolve(id);
  }

  signal?.addEventListener('abort', () => end(), { signal: over });
  document.body.append(host);
  const closeModal = layersOf(document).openModal();
  dialog.showModal();
  input.hold();
  return chosen.promise;
}
