import { html } from 'hono/html';
import { icons } from './icons.ts';
import type { Html } from './layout.ts';

const titles = {
  friends: 'Friends',
  stream: 'Stream',
  notes: 'Notes',
  photos: 'Photos',
  birthdays: 'Birthdays',
} as const;

/** Renders one gadget in a card of the site's own. */
export function gadgetCard(app: keyof typeof titles, owner?: string): Html {
  return html`<section class="card" aria-labelledby="title-${app}">
<header>${icons[app]}<h2 id="title-${app}">${titles[app]}</h2></header>
${owner === undefined ? html`<gantry-gadget app="${app}"></gantry-gadget>` : html`<gantry-gadget app="${app}" owner="${owner}" view="profile"></gantry-gadget>`}
</section>`;
}
