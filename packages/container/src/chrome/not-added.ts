import type { Place } from '../gadget.ts';
import { fill } from '../messages/fill.ts';
import { textElement } from './text-element.ts';

/**
 * Shows a notice below an app, once per load, when a save was refused because the member does not
 * have the app. Only the site can add it; permissions do not matter here.
 *
 * @returns Call it when the load is over.
 */
export function watchNotAdded({ element, gadget, messages }: Place): () => void {
  let card: HTMLElement | undefined;

  function show(): void {
    if (card) return;
    const title = fill(messages.notAdded, { title: gadget.context.app.title });
    card = textElement('div', '', { className: 'notice', role: 'status', lang: messages.language });
    card.part.add('notice');
    card.style.cssText = 'margin-block:0.5rem 0';
    const text = textElement('span', '');
    text.append(textElement('strong', title), document.createElement('br'), messages.notAddedText);
    const close = textElement('button', messages.close, { type: 'button', className: 'quiet' });
    close.part.add('notice-action');
    close.addEventListener('click', () => card?.remove());
    card.append(text, close);
    element.shadowRoot?.append(card);
  }

  gadget.onNotAdded = show;
  if (gadget.isNotAdded) show();
  return () => {
    delete gadget.onNotAdded;
    card?.remove();
  };
}
