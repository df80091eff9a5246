import { dress } from '../dress.ts';
import { layersOf } from '../layers/page-layers.ts';
import { fill, type Messages } from '../messages/messages.ts';
import { dialogStyles } from './dialog-styles.ts';
import { focusedElement } from './focused.ts';
import { giveFocus } from './give-focus.ts';
import { holdInput } from './hold-input.ts';
import { dressLike } from './palette.ts';

/** A button of a dialog. */
export interface DialogAction<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** The one that the dialog is about. It stands last and is never focused first. */
  readonly isPrimary?: boolean;
}

export interface DialogOptions<Id extends string> {
  readonly title: string;
  /** Text is shown as text, its line breaks kept. Nodes are the container's own; whatever an app wrote stands in them as text. */
  readonly content: string | readonly Node[];
  /** In reading order. The first gets the focus, so the harmless one comes first. */
  readonly actions: readonly DialogAction<Id>[];
  readonly messages: Messages;
  /** Registered name of the app that asks, which the dialog says above its title. Not what the app calls itself. */
  readonly app?: string | undefined;
  /** Whose `--gantry-*` colours, scheme and direction the dialog takes; the page's by default. */
  readonly place?: Element | undefined;
  /** Takes the dialog away, as if it had been cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since whenever. */
  readonly now?: () => number;
}

/**
 * Asks the member in the container's own chrome: a modal dialog in the top layer, which holds back whatever
 * an app would paint above it, and takes no input for half a second after it appeared, moved, was covered or resized or its
 * window regained the focus (security rules 7 and 26). The focus goes back to where it was.
 *
 * @returns Which action was chosen; `undefined` when the dialog was cancelled, by Escape or `signal`.
 */
export function openDialog<Id extends string>(options: DialogOptions<Id>): Promise<Id | undefined> {
  const {
    title,
    content,
    actions,
    messages,
    app,
    place = document.body,
    signal,
    now = () => performance.now(),
  } = options;
  if (signal?.aborted) return Promise.resolve(undefined);
  const host = document.createElement('gantry-dialog');
  dressLike(host, place);
  host.lang = messages.language;
  const root = host.attachShadow({ mode: 'open' });
  dress(root, dialogStyles);

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
    const button = textElement('button', label, { type: 'button', className: isPrimary ? 'primary' : '' });
    button.addEventListener('click', () => end(id));
    return button;
  });
  row.append(...buttons);

  const input = holdInput(dialog, { buttons: () => buttons, now });
  // At once: a browser says that it closed a dialog in a task of its own, until which nothing visible would have the focus.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (!input.isHeld) end();
  });
  const { signal: over } = input;
  dialog.addEventListener('close', () => end(), { signal: over }); // a browser may insist on Escape: to cancel is never the dangerous answer

  function end(id?: Id): void {
    input.end();
    dialog.close();
    host.remove();
    closeModal();
    if (before instanceof HTMLElement) giveFocus(before); // a browser forgets a frame within a shadow tree
    chosen.resolve(id);
  }

  signal?.addEventListener('abort', () => end(), { signal: over });
  document.body.append(host);
  const closeModal = layersOf(document).openModal();
  dialog.showModal();
  input.hold();
  return chosen.promise;
}

/** An element of the container's own that holds `text` as text, whatever it looks like. */
export function textElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return Object.assign(element, properties);
}
