import { html, raw } from 'hono/html';
import type { Community } from '../community.ts';
import type { Member } from '../world/records.ts';
import { icons } from './icons.ts';

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

export interface PageContext {
  readonly community: Community;
  /** The signed-in member. */
  readonly viewer: Member | undefined;
  /** False at an address without sign-in. */
  readonly mayChoose: boolean;
}

/** Renders the layout of every page: header, member chooser, content. */
export function layout(context: PageContext, { title, content }: { title: string; content: Html }): Html {
  const { community, viewer, mayChoose } = context;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === community.name ? title : `${title} · ${community.name}`}</title>
<link rel="icon" href="/site/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/site/site.css">
<link rel="stylesheet" href="/site/welcome.css">
<link rel="stylesheet" href="/site/chooser.css">
<script type="module" src="/gantry/container.js"></script>
<script type="module" src="/site/chooser.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/">${icons.tern}<span>${community.name}</span></a>
<nav aria-label="Site">
<a href="/">Home</a>
${viewer && html`<a href="/members/${viewer.id}">My page</a><a href="/account/photos">Add photos</a><a href="/account/apps">Apps and sites</a><a href="/account/keys">API keys</a>`}
</nav>
${mayChoose ? chooserButton(viewer) : ''}
</header>
<main id="content">${content}</main>
<footer class="bottom">
<p>${community.name} is made up, and so is everybody in it. The cards are apps by others, each in a sandboxed frame, hosted with Gantry.</p>
</footer>
${mayChoose ? chooser(community, viewer) : ''}
</body>
</html>`;
}

function chooserButton(viewer: Member | undefined): Html {
  return html`<button id="choose" class="me" type="button" aria-haspopup="dialog">
${viewer ? html`${picture(viewer, 32)}<span class="me-name" dir="auto">${viewer.displayName}</span>` : html`<span>Sign in</span>`}
<span class="hint">${viewer ? 'Switch member' : ''}</span>${icons.down}
</button>`;
}

function chooser({ members }: Community, viewer: Member | undefined): Html {
  return html`<dialog id="chooser" class="chooser" aria-labelledby="chooser-title">
<form method="post" action="/sign-in">
<div class="chooser-head">
<h2 id="chooser-title">Who are you today?</h2>
<button id="close-chooser" class="plain" type="button" aria-label="Close">${icons.close}</button>
</div>
<p>A demo needs no password: choose anybody and see the site as they do.</p>
<label class="search">${icons.search}<input id="filter" type="search" placeholder="Search members" aria-label="Search members" autocomplete="off" spellcheck="false"></label>
<p id="found" class="found" role="status">${members.length} members</p>
<ul id="member-list">
${members.map((member) => row(member, member.id === viewer?.id))}
</ul>
<div class="chooser-foot"><button class="quiet" name="member" value="none">Browse signed out</button></div>
</form>
</dialog>`;
}

function row(member: Member, current: boolean): Html {
  return html`<li><button name="member" value="${member.id}"${current ? raw(' aria-current="true"') : ''}>${picture(member, 36)}<span dir="auto">${member.displayName}</span></button></li>`;
}

/** Renders a member's picture. The name stands beside it, so its alternative text is empty. */
export function picture({ thumbnailUrl }: Member, size: number): Html {
  return html`<img class="picture" src="${thumbnailUrl}" alt="" width="${size}" height="${size}" loading="lazy">`;
}
