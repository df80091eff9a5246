import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { gadgetCard } from './gadget-card.ts';
import { type Html, layout, type PageContext, picture } from './layout.ts';

const harbour = raw(readFileSync(new URL('harbour.svg', import.meta.url), 'utf8'));

/** The container page: five gadgets whose owner is the viewer. */
export function homePage(context: PageContext): Html {
  const { community, viewer } = context;
  const content = html`<section class="welcome">
${harbour}
<div class="welcome-text">
${
  viewer
    ? html`<h1>Good to see you, <span dir="auto">${viewer.displayName}</span></h1>${neighbours(context, viewer.id)}`
    : html`<h1>One harbour, ${community.members.length} neighbours</h1>
<p>Rowers, growers, swimmers and singers share their days here. Sign in to see what they are up to.</p>`
}
</div>
</section>
<div class="board">
<div class="wide">${gadgetCard('stream')}${gadgetCard('notes')}</div>
<div class="narrow">${gadgetCard('friends')}${gadgetCard('photos')}${gadgetCard('birthdays')}</div>
</div>`;
  return layout(context, { title: community.name, content });
}

function neighbours({ community }: PageContext, id: string): Html {
  const friends = community.friendsOf(id);
  if (friends.length === 0) return html`<p>You have just moved here. Say hello at the slip.</p>`;
  const faces = friends.slice(0, 6);
  const rest = friends.length - faces.length;
  return html`<p>${friends.length === 1 ? 'One friend lives' : `${friends.length} friends live`} around the harbour. Drop in:</p>
<ul class="faces" aria-label="Pages of friends">
${faces.map((friend) => html`<li><a class="face" href="/members/${friend.id}" title="${friend.displayName}" aria-label="${friend.displayName}">${picture(friend, 44)}</a></li>`)}
${rest > 0 ? html`<li class="rest">and ${rest} more</li>` : ''}
</ul>`;
}
