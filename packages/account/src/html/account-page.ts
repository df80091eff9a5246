import type { Html } from '@gantry/service/pages';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import type { PageContext } from '../http/page-context.ts';
import { seeOther } from '../http/page-methods.ts';
import type { MemberRequest, PageRequest } from '../http/page-request.ts';
import { type Page, page } from './layout.ts';
import { name } from './name.ts';

type Content = Omit<Page, 'texts' | 'site' | 'viewer' | 'nav' | 'beside'> & {
  /** Path of the navigation's entry that this page belongs to. */
  readonly current?: string;
};

/** Renders a page inside the account's navigation, with the button that signs out. */
export function accountPage(
  context: PageContext,
  request: PageRequest,
  { current, ...content }: Content,
): Promise<HttpResponse> {
  const { member, settings, texts, isTooSoon } = request;
  const entries = [
    { href: '/account/apps', label: texts.say('nav.apps') },
    { href: '/account/keys', label: texts.say('nav.keys') },
    ...(settings.albums ? [{ href: '/account/photos', label: texts.say('nav.photos') }] : []),
    ...(context.hasSignIn ? [{ href: '/account/password', label: texts.say('nav.password') }] : []),
  ];
  const tooSoon = () => html`<div class="notice warning" role="alert"><p>${texts.say('tooSoon.text')}</p></div>`;
  return page({
    ...content,
    ...(isTooSoon && { status: 409, notice: tooSoon() }),
    texts,
    site: settings.name,
    viewer: member,
    nav: member ? entries.map((entry) => ({ ...entry, current: entry.href === current })) : [],
    beside: member && context.hasSignIn ? signOutForm(context, request, { label: texts.say('signOut') }) : undefined,
  });
}

/** @param options.next Path to come back to, signed in as another member. */
function signOutForm(
  { forms }: PageContext,
  { formOwner: owner }: PageRequest,
  { label, next }: { readonly label: string; readonly next?: string },
): Html {
  const action = '/account/sign-out';
  return html`<form method="post" action="${action}">${forms.field({ owner, action })}${
    next !== undefined && html`<input type="hidden" name="return" value="${next}">`
  }<button class="plain">${label}</button></form>`;
}

/** Names the signed-in member, with a way to use another account and return to `here`. */
export function signedInAs(context: PageContext, request: MemberRequest, here: string): Html {
  const { texts, member } = request;
  return html`<div class="me"><span>${texts.say('signedInAs')} <b>${name(member.displayName)}</b></span>${switchMember(context, request, here)}</div>`;
}

function switchMember(context: PageContext, request: PageRequest, here: string): Html | undefined {
  const label = request.texts.say('otherAccount');
  if (context.hasSignIn) return signOutForm(context, request, { label, next: here });
  const address = signInAddress(context, here);
  return address === undefined ? undefined : html`<a href="${address}">${label}</a>`;
}

/** Sends a visitor without a session to the sign-in page, or explains where the site has it. */
export async function askToSignIn(context: PageContext, request: PageRequest): Promise<HttpResponse> {
  const { texts, settings } = request;
  const query = request.query.toString();
  const here = query === '' ? request.path : `${request.path}?${query}`;
  if (context.hasSignIn) return seeOther(`/account/sign-in?${new URLSearchParams({ return: here })}`);
  const address = signInAddress(context, here);
  return messagePage(context, request, {
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

/** Renders a page with one message. */
export function messagePage(
  context: PageContext,
  request: PageRequest,
  { status = 200, title, text, action }: Message,
): Promise<HttpResponse> {
  const content = html`<div class="card">
<header><h1>${title}</h1><p class="lead">${text}</p></header>
${action && html`<div class="actions">${action}</div>`}
</div>`;
  return accountPage(context, { ...request, isTooSoon: false }, { status, title, content, width: 'narrow' });
}
