import { html } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';

/** Renders a text to copy, with a button where scripts run. The page needs `copyScript`. */
export function copyable(texts: Texts, { id, text }: { readonly id: string; readonly text: string }): Html {
  return html`<div class="secret"><code id="${id}">${text}</code><button class="quiet" type="button" data-copies="${id}" data-copied="${texts.say('copied')}" data-selected="${texts.say('selected')}" hidden>${texts.say('copy')}</button></div>`;
}

/** Shows the buttons and makes them work; without a clipboard they select the text. */
export const copyScript = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  button.setAttribute('aria-describedby', source.id);
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.copied;
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = button.dataset.selected;
    }
  });
}
`;
