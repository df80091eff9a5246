import { html } from 'hono/html';
import { allowAuthorization, denyAuthorization, type Pending, pendingAuthorization } from '../../authorizations.ts';
import type { Answer } from '../../exchange.ts';
import type { Flow } from '../../store/request-tokens.ts';
import { copyable, copyScript } from '../copy-button.ts';
import { holdScript } from '../held-forms.ts';
import { icons } from '../icons.ts';
import type { Html } from '../layout.ts';
import { accountPage, messagePage, signedInAs } from '../shell.ts';
import { type Desk, type MemberVisit, type Methods, seeOther } from '../visit.ts';
import { asMember } from './as-member.ts';

/** Where each flow of 3-legged OAuth asks its member (contract §1). */
export const consentPaths: Readonly<Record<Flow, string>> = {
  member: '/oauth/authorize',
  admin: '/admin/oauth/authorize',
};

/** The page on which a member, or in the flow `admin` an administrator, allows or denies what a consumer asks (contract §5). */
export function consentPage(desk: Desk, flow: Flow): Methods {
  const { db, now, random } = desk;
  const action = consentPaths[flow];
  const of = (token: string) => ({ token, flow, nowMs: now() });
  const hereOf = (token: string) => `${action}?${new URLSearchParams({ oauth_token: token })}`;

  /** Answers for requests that cannot be allowed by this visitor. */
  function refusal(visit: MemberVisit, token: string): Promise<Answer> | undefined {
    if (token === '') return over(desk, visit);
    if (flow === 'admin' && !visit.member.isAdmin) return notAdmin(desk, visit, hereOf(token));
    return undefined;
  }

  async function show(visit: MemberVisit, token: string): Promise<Answer> {
    const refused = refusal(visit, token);
    if (refused) return refused;
    const pending = await pendingAuthorization(db, of(token));
    return pending ? question(desk, visit, { pending, action, here: hereOf(token) }) : over(desk, visit);
  }

  return asMember(desk, {
    get: (visit) => show(visit, visit.query.get('oauth_token') ?? ''),
    again: (visit) => show(visit, visit.form.get('oauth_token') ?? ''),
    async post(visit) {
      const token = visit.form.get('oauth_token') ?? '';
      const refused = refusal(visit, token);
      if (refused) return refused;
      const pending = await pendingAuthorization(db, of(token));
      if (!pending) return over(desk, visit);
      if (visit.form.get('decision') !== 'allow') {
        const denied = await denyAuthorization(db, of(token));
        if (denied === undefined) return over(desk, visit);
        return denied === 'denied' ? deniedPage(desk, visit, pending) : seeOther(denied.redirect);
      }
      const allowed = await allowAuthorization(db, { ...of(token), memberId: visit.member.id, random });
      if (allowed === undefined) return over(desk, visit);
      return 'redirect' in allowed
        ? seeOther(allowed.redirect)
        : verifierPage(desk, visit, { pending, verifier: allowed.verifier });
    },
  });
}

interface Question {
  readonly pending: Pending;
  readonly action: string;
  readonly here: string;
}

function question(desk: Desk, visit: MemberVisit, { pending, action, here }: Question): Promise<Answer> {
  const { name } = visit.settings;
  const { flow, kind, token } = pending;
  const asker = html`<bdi>${pending.title}</bdi>`;
  const content = html`<div class="card">
<header><h1>${flow === 'admin' ? html`${asker} asks to act for every member` : html`${asker} asks to use your account`}</h1>
<p class="lead">${
    kind === 'admin'
      ? html`It was registered by an administrator of <bdi>${name}</bdi>.`
      : html`It was registered by a member. <bdi>${name}</bdi> has not checked it, nor its name.`
  }</p></header>
${flow === 'admin' && html`<div class="notice warning"><p><b>This is about everybody’s data, not only yours.</b> Allow it only for a program that you run or trust with the whole site.</p></div>`}
<div class="field"><h2>If you allow it, it can:</h2>
<ul class="can">${abilities[flow].map((text) => html`<li>${icons.yes}<span>${text}</span></li>`)}
<li class="not">${icons.no}<span class="muted">${inability[flow]}</span></li></ul></div>
${wayBack(pending)}
<form class="fields" method="post" action="${action}">
${desk.forms.field({ visitor: visit.visitor, action, isHeld: true })}
<input type="hidden" name="oauth_token" value="${token}">
<div class="actions"><button name="decision" value="allow">Allow</button><button class="quiet" name="decision" value="deny">Deny</button></div>
</form>
<p class="muted small">It lasts until you take it back under “Apps and sites”.</p>
${signedInAs(desk, visit, here)}
</div>`;
  return accountPage(desk, visit, {
    title: flow === 'admin' ? 'Act for every member?' : 'Use your account?',
    content,
    width: 'narrow',
    formTargets: redirectSources(pending.callback),
    script: holdScript,
  });
}

const abilities: Readonly<Record<Flow, readonly string[]>> = {
  member: [
    'see your whole profile, also what you show to nobody else',
    'see your friends, and what they show to you',
    'see the activities, albums and photos that you can see',
    'post activities in your name',
  ],
  admin: [
    'see the whole profile of every member, also what they show to nobody else',
    'see everybody’s friends, activities, albums and photos',
    'post activities in the name of any member',
  ],
};

const inability: Readonly<Record<Flow, string>> = {
  member: 'It does not learn your password, and cannot change your profile, friends or photos.',
  admin: 'It does not learn passwords, and cannot change profiles, friends or photos.',
};

/** Where the answer goes. */
function wayBack({ callback, title }: Pending): Html {
  if (callback === 'oob') {
    return html`<p class="muted">You will be shown a code to type into <bdi>${title}</bdi>.</p>`;
  }
  const { protocol, hostname, host } = new URL(callback);
  const isOpen = protocol === 'http:' && !isLoopback(hostname);
  return html`<p class="muted">Your answer takes you to <b>${host}</b>.</p>
${isOpen && html`<div class="notice warning"><p><b>The way there is not encrypted.</b> Others on your network could read your answer.</p></div>`}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

// Browsers hold the whole chain of redirects to `form-action`, and a callback may go on to any host, so it is schemes.
function redirectSources(callback: string): readonly string[] {
  if (callback === 'oob') return [];
  return callback.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
}

function verifierPage(
  desk: Desk,
  visit: MemberVisit,
  { pending, verifier }: { readonly pending: Pending; readonly verifier: string },
): Promise<Answer> {
  const content = html`<div class="card">
<header><h1>You allowed it</h1>
<p class="lead">Go back to <bdi>${pending.title}</bdi> and type or paste this code there. It works once, within the hour.</p></header>
<div class="big">${copyable({ id: 'verifier', text: verifier })}</div>
<p class="muted small">Give it to nobody else. Whoever asks you for it by mail or phone is up to no good.</p>
</div>`;
  return accountPage(desk, visit, { title: 'Your code', content, width: 'narrow', script: copyScript });
}

function deniedPage(desk: Desk, visit: MemberVisit, { title }: Pending): Promise<Answer> {
  const text = `${title} got no access to your account. You can close this page.`;
  return messagePage(desk, visit, { title: 'You denied it', text });
}

function over(desk: Desk, visit: MemberVisit): Promise<Answer> {
  return messagePage(desk, visit, {
    status: 404,
    title: 'This request is over',
    text: 'It was answered already, is older than an hour, or never was. Go back to the app or site that sent you and start there again.',
  });
}

function notAdmin(desk: Desk, visit: MemberVisit, here: string): Promise<Answer> {
  return messagePage(desk, visit, {
    status: 403,
    title: 'For administrators only',
    text: `An app asks to act for every member of ${visit.settings.name}. Only an administrator can allow that.`,
    action: signedInAs(desk, visit, here),
  });
}
