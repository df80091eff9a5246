import { html } from 'hono/html';
import type { Answer } from '../exchange.ts';
import { tooSoon } from './held-forms.ts';
import { type Html, type Page, page } from './layout.ts';
import { type Desk, type MemberVisit, seeOther, type Visit } from './visit.ts';

type Content = Omit<Page, 'site' | 'viewer' | 'nav' | 'beside'> & {
  /** Path of the navigation's entry that this page belongs to. */
  readonly current?: string;
};

/** Renders a page inside the account's navigation, with the way out. */
export function accountPage(desk: Desk, visit: Visit, { current, ...content }: Content): Promise<Answer> {
  const { member, settings, isEarly } = visit;
  const entries = [...pages, ...(settings.albums ? [photosEntry] : []), ...(desk.hasSignIn ? [passwordEntry] : [])];
  return page({
    ...content,
    ...(isEarly && { status: 409, notice: html`<div class="notice warning" role="alert"><p>${tooSoon}</p></div>` }),
    site: settings.name,
    viewer: member,
    nav: member ? entries.map((entry) => ({ ...entry, current: entry.href === current })) : [],
    beside: member && desk.hasSignIn ? signOutForm(desk, visit, { label: 'Sign out' }) : undefined,
  });
}

const pages = [
  { href: '/account/apps', label: 'Apps and sites' },
  { href: '/account/keys', label: 'API keys' },
];
const photosEntry = { href: '/account/photos', label: 'Photos' };
const passwordEntry = { href: '/account/password', label: 'Password' };

/** @param options.next Path to come back to, signed in as somebody else. */
function signOutForm(
  { forms }: Desk,
  { visitor }: Visit,
  { label, next }: { readonly label: string; readonly next?: string },
): Html {
  const action = '/account/sign-out';
  return html`<form method="post" action="${action}">${forms.field({ visitor, action })}${
    next !== undefined && html`<input type="hidden" name="return" value="${next}">`
  }<button class="plain">${label}</button></form>`;
}

/** Who is signed in, with a way to be somebody else and come back to `here`. */
export function signedInAs(desk: Desk, visit: MemberVisit, here: string): Html {
  return html`<div class="me"><span>Signed in as <b><bdi>${visit.member.displayName}</bdi></b></span>${switchMember(desk, visit, here)}</div>`;
}

function switchMember(desk: Desk, visit: Visit, here: string): Html | undefined {
  if (desk.hasSignIn) return signOutForm(desk, visit, { label: 'Use another account', next: here });
  const address = signInAddress(desk, here);
  return address === undefined ? undefined : html`<a href="${address}">Use another account</a>`;
}

/** A page that needs a member, for a visitor who is none: off to the sign-in, or a word on where that is. */
export async function askToSignIn(desk: Desk, visit: Visit): Promise<Answer> {
  const query = visit.query.toString();
  const here = query === '' ? visit.path : `${visit.path}?${query}`;
  if (desk.hasSignIn) return seeOther(`/account/sign-in?${new URLSearchParams({ return: here })}`);
  const address = signInAddress(desk, here);
  const { name } = visit.settings;
  return messagePage(desk, visit, {
    status: 403,
    title: 'Sign in first',
    text: `This page is for members of ${name}. Sign in there, then come back.`,
    action: address === undefined ? undefined : html`<a class="button" href="${address}">Sign in</a>`,
  });
}

function signInAddress({ signInUrl, publicUrl }: Desk, here: string): string | undefined {
  if (signInUrl === undefined) return undefined;
  const url = new URL(signInUrl, publicUrl);
  url.searchParams.set('return', here);
  return url.origin === publicUrl ? url.href.slice(publicUrl.length) : url.href;
}

export interface Message {
  readonly status?: number;
  readonly title: string;
  readonly text: string;
  /** What can be done about it. */
  readonly action?: Html | undefined;
}

/** A page that says one thing. */
export function messagePage(desk: Desk, visit: Visit, { status = 200, title, text, action }: Message): Promise<Answer> {
  const content = html`<div class="card">
<header><h1>${title}</h1><p class="lead">${text}</p></header>
${action && html`<div class="actions">${action}</div>`}
</div>`;
  return accountPage(desk, { ...visit, isEarly: false }, { status, title, content, width: 'narrow' });
}
