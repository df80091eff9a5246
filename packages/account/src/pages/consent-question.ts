import type { Flow, Pending } from '@gantry/service';
import type { Html } from '@gantry/service/pages';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage, signedInAs } from '../html/account-page.ts';
import { holdScript } from '../html/hold-script.ts';
import { icons } from '../html/icons.ts';
import { name } from '../html/name.ts';
import type { PageContext } from '../http/page-context.ts';
import type { MemberRequest } from '../http/page-request.ts';
import type { Texts } from '../messages/texts.ts';

interface Question {
  readonly pending: Pending;
  readonly action: string;
  /** Path of this page, to return to as another member. */
  readonly path: string;
}

/** Renders the question whether a consumer may use the member's account, or every account. */
export function questionPage(
  context: PageContext,
  request: MemberRequest,
  { pending, action, path }: Question,
): Promise<HttpResponse> {
  const { texts, formOwner: owner } = request;
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
${signedInAs(context, request, path)}
</div>`;
  return accountPage(context, request, {
    title: texts.say(flow === 'admin' ? 'consent.adminTitle' : 'consent.memberTitle'),
    content,
    width: 'narrow',
    formTargets: redirectSources(pending.callback),
    script: holdScript,
  });
}

const abilities = {
  member: ['consent.member.profile', 'consent.member.friends', 'consent.member.see', 'consent.member.post'],
  admin: ['consent.admin.profile', 'consent.admin.see', 'consent.admin.post'],
} as const satisfies Readonly<Record<Flow, readonly string[]>>;

/** Renders the host that the answer is sent to. */
function destination({ callback, title }: Pending, texts: Texts): Html {
  if (callback === 'oob') return html`<p class="muted">${texts.rich('consent.code', { app: name(title) })}</p>`;
  const { protocol, hostname, host } = new URL(callback);
  const isOpen = protocol === 'http:' && !isLoopback(hostname);
  return html`<p class="muted">${texts.rich('consent.host', { host: html`<b>${host}</b>` })}</p>
${isOpen && html`<div class="notice warning"><p><b>${texts.say('consent.open')}</b> ${texts.say('consent.openText')}</p></div>`}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

// Browsers hold the whole chain of redirects to `form-action`, and a callback may go on to any
// host, so it is schemes.
function redirectSources(callback: string): readonly string[] {
  if (callback === 'oob') return [];
  return callback.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
}
