import type { Passwords } from '@gantry/service';
import type { PageContext } from './http/page-context.ts';
import { type PageMethods, seeOther } from './http/page-methods.ts';
import { appsPage, revokeConsumer, revokePageApp } from './pages/apps-page.ts';
import { consentPage, consentPaths } from './pages/consent-page.ts';
import { keysPage, revokeKey } from './pages/keys-page.ts';
import { photoPages } from './photos/photo-pages.ts';
import { createFairQueue } from './sign-in/fair-queue.ts';
import { passwordPage } from './sign-in/password-page.ts';
import type { Sessions } from './sign-in/sessions.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { signInPage, signOut } from './sign-in/sign-in-page.ts';

const mostSigningIn = 30;

/** Tools of the pages that sign members in. */
export interface SignInTools {
  readonly sessions: Sessions;
  readonly passwords: Passwords;
}

/** Returns true for paths of account and consent pages, also for those that do not exist. */
export function isAccountPath(path: string): boolean {
  const isConsent = Object.values(consentPaths).includes(path.replace(/\/$/, ''));
  return path === '/account' || path.startsWith('/account/') || isConsent;
}

/** Makes the function that finds the page of a path. */
export function createPageFinder(context: PageContext, tools: SignInTools): (path: string) => PageMethods | undefined {
  const pages = new Map<string, PageMethods>([
    ['/account', { get: async () => seeOther('/account/apps') }],
    ['/account/apps', appsPage(context)],
    ['/account/apps/revoke', revokeConsumer(context)],
    ['/account/apps/withdraw', revokePageApp(context)],
    ['/account/keys', keysPage(context)],
    ['/account/keys/revoke', revokeKey(context)],
    [consentPaths.member, consentPage(context, 'member')],
    [consentPaths.admin, consentPage(context, 'admin')],
    ...(context.hasSignIn ? signInPages(context, tools) : []),
  ]);
  const findPhotoPage = photoPages(context);
  return (path) => pages.get(path) ?? findPhotoPage(path);
}

function signInPages(context: PageContext, tools: SignInTools): readonly (readonly [string, PageMethods])[] {
  const { sessions, passwords } = tools;
  const { db, now } = context;
  const inTurn = createFairQueue({ atOnce: passwords.atOnce, mostWaiting: mostSigningIn });
  const signIn = createSignIn({ db, passwords, inTurn, now });
  return [
    ['/account/sign-in', signInPage(context, { sessions, signIn })],
    ['/account/sign-out', signOut({ sessions })],
    ['/account/password', passwordPage(context, { sessions, signIn, passwords, inTurn })],
  ];
}
