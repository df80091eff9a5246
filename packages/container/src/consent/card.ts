import { sentenceFor } from '@gantry/wire';
import { holdInput } from '../chrome/hold-input.ts';
import { questionStyles } from '../chrome/question-styles.ts';
import { textElement } from '../chrome/text-element.ts';
import { adoptStyles } from '../element/adopt-styles.ts';
import type { Gadget } from '../gadget.ts';
import { layersOf } from '../layers/page-layers.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { appName } from './app-name.ts';
import { cardStyles } from './card-styles.ts';
import { rememberNotNow, wasNotNow } from './not-now.ts';
import { sentenceList } from './sentence-list.ts';

export { loadMessagesAt } from '../messages/load-messages-at.ts';

/**
 * Makes the card that asks for the permissions an app needs, in the gadget's own box. It takes no
 * input for half a second after it appeared, moved, was covered, was resized or its window regained
 * the focus (security rules 7 and 26): an app above it could push it under a finger.
 *
 * @param options.element The `<gantry-gadget>`.
 * @param options.words Texts for the element's place on the page.
 * @returns The card. Put it into the element's pane at once; it ends when it is removed.
 */
export function consentCard(options: {
  readonly gadget: Gadget;
  readonly element: HTMLElement;
  readonly words: Messages;
}): HTMLElement {
  const { gadget, element, words } = options;
  const title = appName(gadget);
  const root = element.shadowRoot as ShadowRoot;
  adoptStyles(root, questionStyles);
  adoptStyles(root, cardStyles);
  const card = textElement('div', '', { className: 'consent', role: 'group', lang: words.language });
  card.part.add('consent');
  card.setAttribute('aria-labelledby', 'consent-title');
  const buttons: HTMLButtonElement[] = [];
  const input = holdInput(card, () => buttons);
  layersOf(document).keepClear(root);

  function show(heading: string, content: readonly Node[], actions: readonly HTMLButtonElement[]): void {
    const row = textElement('div', '', { className: 'actions' });
    row.append(...actions);
    buttons.splice(0, buttons.length, ...actions);
    card.replaceChildren(textElement('strong', heading, { id: 'consent-title' }), ...content, row);
    input.hold();
  }

  function ask(problem?: string): void {
    const { needed } = gadget.consent;
    const server = needed.find((name) => name.startsWith('server:'));
    const others = needed.filter((name) => name !== server);
    const asks = gadget.context.permissions.length > 0 ? words.asksMore : words.asks;
    const content: Node[] = [];
    if (others.length > 0) content.push(sentenceList(others, words));
    if (server) content.push(textElement('p', `${sentenceFor(server, words.sentences)}.`, { className: 'remote' }));
    content.push(textElement('p', words.takeBackHint, { className: 'hint' }));
    if (problem) content.push(textElement('p', problem, { className: 'problem', role: 'alert' }));
    show(fill(others.length > 0 ? asks : words.remoteAsks, { title }), content, [
      button(words.notNow, later),
      button(words.allow, () => void allow(), 'primary'),
    ]);
  }

  function wait(): void {
    const text = textElement('p', words.waitsText, { className: 'hint' });
    show(fill(words.waits, { title }), [text], [button(words.review, review)]);
  }

  function later(): void {
    rememberNotNow(gadget);
    wait();
    buttons[0]?.focus();
  }
  function review(): void {
    ask();
    buttons[0]?.focus();
  }
  async function allow(): Promise<void> {
    for (const one of buttons) one.disabled = true;
    root.querySelector<HTMLElement>('.pane')?.focus(); // the button will be removed
    const reply = await gadget.decide({ grant: gadget.consent.needed });
    if ('error' in reply) ask(words.failed);
  }

  if (wasNotNow(gadget)) wait();
  else ask();
  return card;
}

function button(label: string, onClick: () => void, className = ''): HTMLButtonElement {
  const made = textElement('button', label, { type: 'button', className: `action ${className}` });
  made.part.add('consent-action');
  made.addEventListener('click', onClick);
  return made;
}
