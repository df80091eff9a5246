import { adoptStyles } from '../chrome/css.ts';
import { holdInput } from '../chrome/hold-input.ts';
import { questionStyles } from '../chrome/question-styles.ts';
import { textElement } from '../chrome/text-element.ts';
import type { Gadget } from '../gadget.ts';
import { layersOf } from '../layers/page-layers.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { appName } from './app-name.ts';
import { type Asker, askersWith, joinAskers } from './askers.ts';
import { cardStyles } from './card-styles.ts';
import { rememberNotNow, wasNotNow } from './not-now.ts';
import { neededQuestion } from './question.ts';

export { loadMessagesAt } from '../messages/load-messages-at.ts';

/**
 * Makes the card that asks for the permissions an app needs, in the gadget's own box. It takes no
 * input for half a second after it appeared, moved, was covered, was resized or its window regained
 * the focus (security rules 7 and 26): an app above it could push it under a finger. While several
 * apps of a page ask, each card leads to one question about all of them.
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
  let isWaiting = false;
  const input = holdInput(card, () => buttons);
  const asker: Asker = { gadget, element, card, wait, signal: input.signal };
  layersOf(document).keepClear(root);

  function show(heading: string, content: readonly Node[], actions: readonly HTMLButtonElement[]): void {
    const hadFocus = card.contains(root.activeElement);
    const row = textElement('div', '', { className: 'actions' });
    row.append(...actions);
    buttons.splice(0, buttons.length, ...actions);
    card.replaceChildren(textElement('strong', heading, { id: 'consent-title' }), ...content, row);
    if (hadFocus) buttons[0]?.focus();
    input.hold();
  }

  function ask(problem?: string): void {
    isWaiting = false;
    const { heading, content, needed } = neededQuestion(gadget, words);
    content.push(textElement('p', words.takeBackHint, { className: 'hint' }), ...alert(problem));
    show(heading, content, [button(words.notNow, later), button(words.allow, () => void allow(needed), 'primary')]);
  }

  function wait(problem?: string): void {
    if (isWaiting && !problem) return;
    isWaiting = true;
    const text = textElement('p', words.waitsText, { className: 'hint' });
    show(fill(words.waits, { title }), [text, ...alert(problem)], [button(words.review, () => void review())]);
  }

  function later(): void {
    rememberNotNow(gadget);
    wait();
    buttons[0]?.focus();
  }
  async function review(): Promise<void> {
    input.hold(); // a double press answers once
    const asking = askersWith(asker);
    const together = asking.length > 1 && (await import('./together.ts').catch(() => undefined));
    if (together) {
      await together.askTogether({ asking, words, place: element });
      if (!card.isConnected) root.querySelector<HTMLElement>('.pane')?.focus();
    } else {
      ask();
      buttons[0]?.focus();
    }
  }
  async function allow(grant: Gadget['consent']['needed']): Promise<void> {
    for (const one of buttons) one.disabled = true;
    root.querySelector<HTMLElement>('.pane')?.focus(); // the button will be removed
    const reply = await gadget.decide({ grant });
    if ('error' in reply) ask(words.failed);
  }

  const all = joinAskers(asker);
  if (askersWith(asker).length > 1) {
    for (const each of all) each.wait();
    void import('./together.ts').catch(() => undefined); // `review` tries again
  } else if (wasNotNow(gadget)) wait();
  else ask();
  return card;
}

function alert(problem = ''): readonly Node[] {
  return problem ? [textElement('p', problem, { className: 'problem', role: 'alert' })] : [];
}

function button(label: string, onClick: () => void, className = ''): HTMLButtonElement {
  const made = textElement('button', label, { type: 'button', className: `action ${className}` });
  made.part.add('consent-action');
  made.addEventListener('click', onClick);
  return made;
}
