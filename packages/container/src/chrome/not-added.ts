import { fill } from '../messages/messages.ts';
import type { ChromePlace } from './attend.ts';
import { textElement } from './dialog.ts';

/**
 * Says below an app, once for each load, that the site did not let it save anything because the member does not have it. Only
 * the site can give it: what the member allowed is not the matter.
 *
 * @returns To be called when the load is over.
 */
export function watchNotAdded({ element, gadget, messages }: ChromePlace): () => void {
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
