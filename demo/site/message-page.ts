import { html } from 'hono/html';
import { type Html, layout, type PageContext } from './layout.ts';

/** Renders a page with one message, such as the reason for a refusal. */
export function messagePage(context: PageContext, { title, text }: { title: string; text: string }): Html {
  const content = html`<section class="notice"><h1>${title}</h1><p>${text}</p><p><a href="/">Back to the harbour</a></p></section>`;
  return layout(context, { title, content });
}
