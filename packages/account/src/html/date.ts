import type { Html } from '@gantry/service/pages';
import { html } from 'hono/html';
import type { PageRequest } from '../http/page-request.ts';

/** Renders a date in the member's language, on the site's calendar. */
export function date({ texts, settings }: Pick<PageRequest, 'texts' | 'settings'>, atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${texts.date(atMs, settings.timeZone)}</time>`;
}
