import { html } from 'hono/html';
import type { Member } from '../world/records.ts';
import { gadgetCard } from './gadget-card.ts';
import { type Html, layout, type PageContext, picture } from './layout.ts';

/** Renders a member's page: three gadgets whose owner is that member, for every viewer. */
export function profilePage(context: PageContext, member: Member): Html {
  const { community, viewer } = context;
  const about = community.aboutOf(member, viewer?.id);
  const content = html`<section class="profile">
${picture(member, 120)}
<div>
<h1 dir="auto">${member.displayName}</h1>
<p class="relation">${relation(context, member.id)}</p>
${about === undefined ? '' : html`<p dir="auto">${about}</p>`}
</div>
</section>
<div class="board">
<div class="wide">${gadgetCard('stream', member.id)}</div>
<div class="narrow">${gadgetCard('friends', member.id)}${gadgetCard('photos', member.id)}</div>
</div>`;
  return layout(context, { title: member.displayName, content });
}

function relation({ community, viewer }: PageContext, id: string): string {
  if (viewer?.id === id) return 'This is you';
  return viewer && community.areFriends(viewer.id, id) ? 'Your friend' : 'Member';
}
