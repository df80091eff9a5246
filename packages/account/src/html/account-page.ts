import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { PageContext } from '../request/page-context.ts';
import { mapMethods, type PageMethods, seeOther } from '../request/page-methods.ts';
import type { MemberRequest, PageRequest } from '../request/page-request.ts';
import { name, notice } from './blocks.ts';
import { type Page, page } from './layout.ts';

type Content = Omit<Page, 'texts' | 'site' | 'viewer' | 'nav' | 'beside'> & {
  /** Path of the navigation's entry that this page belongs to. */
  readonly current?: string;
};

/** Renders a page inside the account's navigation, with the button that signs out. */
export function accountPage(request: PageRequest, { current, ...content }: Content): Promise<HttpResponse> {
  const { context, member, settings, texts, isTooSoon } = request;
  const entries = [
    { href: '/account/apps', label: texts.say('nav.apps') },
    { href: '/account/keys', label: texts.say('nav.keys') },
    ...(settings.albums ? [{ href: '/account/photos', label: texts.say('nav.photos') }] : []),
    ...(context.hasSignIn ? [{ href: '/account/password', label: texts.say('nav.password') }] : []),
  ];
  return page({
    ...content,
    ...(isTooSoon && { status: 409, notice: notice('warning', texts.say('tooSoon.text')) }),
    texts,
    site: settings.name,
    viewer: member,
    nav: member ? entries.map((entry) => ({ ...entry, current: entry.href === current })) : [],
    beside: member && context.hasSignIn ? signOutForm(request, { label: texts.say('signOut') }) : undefined,
  });
}

/** @param options.next Path to come back to, signed in as another member. */
function signOutForm(
  { context, formOwner: owner }: PageRequest,
  { label, next }: { readonly label: string; readonly next?: string },
): Html {
  const action = '/account/sign-out';
  return html`<form method="post" action="${action}">${context.forms.field({ owner, action })}${
    next !== undefined && html`<input type="hidden" name="return" value="${next}">`
  }<button class="plain">${label}</button></form>`;
}

/** Names the signed-in member, with a way to use another account and return to `here`. */
export function signedInAs(request: MemberRequest, here: string): Html {
  const { context, texts, member } = request;
  const label = texts.say('otherAccount');
  const address = signInAddress(context, here);
  const link = address !== undefined && html`<a href="${address}">${label}</a>`;
  const change = context.hasSignIn ? signOutForm(request, { label, next: here }) : link;
  return html`<div class="me"><span>${texts.say('signedInAs')} <b>${name(member.displayName)}</b></span>${change}</div>`;
}

/** Returns methods that ask visitors who are not signed in to do so first. */
export function membersOnly(methods: PageMethods<MemberRequest>): PageMethods {
  return mapMethods<MemberRequest, PageRequest>(methods, (handle) => (request) => {
    const { member } = request;
    return member ? handle({ ...request, member }) : askToSignIn(request);
  });
}

/** Sends a visitor without a session to the sign-in page, or explains where the site has it. */
export async function askToSignIn(request: PageRequest): Promise<HttpResponse> {
  const { context, texts, settings } = request;
  const query = request.query.toString();
  const here = query === '' ? request.path : `${request.path}?${query}`;
  if (request.isStranger) {
    const text = texts.say('noMember.text', { site: settings.name });
    return messagePage(request, { status: 403, title: texts.say('noMember'), text });
  }
  if (context.hasSignIn) return seeOther(`/account/sign-in?${new URLSearchParams({ return: here })}`);
  const address = signInAddress(context, here);
  return messagePage(request, {
    status: 403,
    title: texts.say('signIn.first'),
    text: texts.say('signIn.needed', { site: settings.name }),
    action: address === undefined ? undefined : html`<a class="button" href="${address}">${texts.say('signIn')}</a>`,
  });
}

function signInAddress({ signInUrl, publicUrl }: PageContext, here: string): string | undefined {
  if (signInUrl === undefined) return undefined;
  const url = new URL(signInUrl, publicUrl);
  url.searchParams.set('return', here);
  return url.origin === publicUrl ? url.href.slice(publicUrl.length) : url.href;
}

export interface Message {
  readonly status?: number;
  readonly title: string;
  readonly text: string;
  /** Link or form for the next step. */
  readonly action?: Html | undefined;
}

export function messagePage(
  request: PageRequest,
  { status = 200, title, text, action }: Message,
): Promise<HttpResponse> {
  const content = html`<div class="card">
<header><h1>${title}</h1><p class="lead">${text}</p></header>
${action && html`<div class="actions">${action}</div>`}
</div>`;
  return accountPage({ ...request, isTooSoon: false }, { status, title, content, width: 'narrow' });
}
