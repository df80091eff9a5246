import { shownName } from '@gantry/wire';
import { html } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import type { PageRequest } from '../request/page-request.ts';

/** Renders a name from elsewhere: it neither turns nor hides what stands around it. */
export const name = (text: string): Html => html`<bdi>${shownName(text)}</bdi>`;

/** Renders a date in the member's language, on the site's calendar. */
export function date({ texts, settings }: PageRequest, atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${texts.date(atMs, settings.timeZone)}</time>`;
}

/** Renders a notice that screen readers announce; a fault interrupts them. */
export function notice(kind: 'good' | 'neutral' | 'warning' | 'bad', text: string): Html {
  const role = kind === 'good' || kind === 'neutral' ? 'status' : 'alert';
  return html`<div class="notice ${kind}" role="${role}"><p>${text}</p></div>`;
}

/** Renders a list as the block `kind`, or the text of an empty one. */
export function list(
  texts: Texts,
  { of, kind, items }: { of: 'apps' | 'keys' | 'albums' | 'album'; kind: 'rows' | 'pictures'; items: readonly Html[] },
): Html {
  if (items.length > 0) return html`<ul class="${kind}">${items}</ul>`;
  return html`<div class="empty"><h2>${texts.say(`${of}.none`)}</h2><p class="muted">${texts.say(`${of}.noneText`)}</p></div>`;
}
