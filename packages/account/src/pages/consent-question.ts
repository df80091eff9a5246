import type { Flow, Pending } from '@gantry/service/account';
import type { HttpResponse } from '@gantry/wire';
import { isLocalHost } from '@gantry/wire/runtime';
import { html, raw } from 'hono/html';
import { accountPage, signedInAs } from '../html/account-page.ts';
import { name } from '../html/blocks.ts';
import { holdScript } from '../html/hold-script.ts';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import type { MemberRequest } from '../request/page-request.ts';

/**
 * Renders the question whether a consumer may use the member's account, or every account.
 *
 * @param options.path Path of this page, to return to as another member.
 */
export function questionPage(
  request: MemberRequest,
  { pending, action, path }: { readonly pending: Pending; readonly action: string; readonly path: string },
): Promise<HttpResponse> {
  const { context, texts, formOwner: owner } = request;
  const { flow, kind, token } = pending;
  const app = name(pending.title);
  const site = name(request.settings.name);
  const content = html`<div class="card">
<header><h1>${texts.rich(flow === 'admin' ? 'consent.admin' : 'consent.member', { app })}</h1>
<p class="lead">${texts.rich(kind === 'admin' ? 'consent.byAdmin' : 'consent.byMember', { site })}</p></header>
${flow === 'admin' && html`<div class="notice warning"><p><b>${texts.say('consent.everybody')}</b> ${texts.say('consent.everybodyText')}</p></div>`}
<div class="field"><h2>${texts.say('consent.can')}</h2>
<ul class="can">${abilities[flow].map((key) => html`<li>${icons.yes}<span>${texts.say(key)}</span></li>`)}
<li class="not">${icons.no}<span class="muted">${texts.say(`consent.${flow}.not`)}</span></li></ul></div>
${destination(pending, texts)}
<form class="fields" method="post" action="${action}">
${context.forms.field({ owner, action, isHeld: true })}
<input type="hidden" name="oauth_token" value="${token}">
<div class="actions"><button name="decision" value="allow">${texts.say('consent.allow')}</button><button class="quiet" name="decision" value="deny">${texts.say('consent.deny')}</button></div>
</form>
<p class="muted small">${texts.say('consent.lasts')}</p>
${signedInAs(request, path)}
</div>`;
  return accountPage(request, {
    title: texts.say(flow === 'admin' ? 'consent.adminTitle' : 'consent.memberTitle'),
    content,
    width: 'narrow',
    formTargets: redirectSources(pending.callback),
    script: holdScript,
  });
}

/** Drawings before a sentence that says the same. */
const icons = { yes: icon('<path d="m4 10.5 4 4 8-9"/>'), no: icon('<path d="M5 5l10 10M15 5 5 15"/>') };

function icon(shape: string) {
  return raw(
    `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );
}

const abilities = {
  member: ['consent.member.profile', 'consent.member.friends', 'consent.member.see', 'consent.member.post'],
  admin: ['consent.admin.profile', 'consent.admin.see', 'consent.admin.post'],
} as const satisfies Readonly<Record<Flow, readonly string[]>>;

/** Renders the host that the answer is sent to. */
function destination({ callback, title }: Pending, texts: Texts): Html {
  if (callback === 'oob') return html`<p class="muted">${texts.rich('consent.code', { app: name(title) })}</p>`;
  const { protocol, hostname, host } = new URL(callback);
  const isOpen = protocol === 'http:' && !isLocalHost(hostname);
  return html`<p class="muted">${texts.rich('consent.host', { host: html`<b>${host}</b>` })}</p>
${isOpen && html`<div class="notice warning"><p><b>${texts.say('consent.open')}</b> ${texts.say('consent.openText')}</p></div>`}`;
}

// Browsers hold the whole chain of redirects to `form-action`, and a callback may go on to any
// host, so it is schemes.
function redirectSources(callback: string): readonly string[] {
  if (callback === 'oob') return [];
  return callback.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
}
