import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A date as people read it, on the site's calendar. */
export function day(atMs: number, timeZone: string): Html {
  const text = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(atMs);
  return html`<time datetime="${new Date(atMs).toISOString()}">${text}</time>`;
}
