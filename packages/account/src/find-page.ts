import type { Passwords } from '@gantry/service';
import { appsPage, revokeConsumer, revokePageApp } from './pages/apps-page.ts';
import { consentPage, consentPaths } from './pages/consent-page.ts';
import { keysPage, revokeKey } from './pages/keys-page.ts';
import { findPhotoPage, photoPages } from './photos/find-photo-page.ts';
import type { PageContext } from './request/page-context.ts';
import { methodsOf, type PageMethods, seeOther } from './request/page-methods.ts';
import { createFairQueue } from './sign-in/fair-queue.ts';
import { passwordPage } from './sign-in/password-page.ts';
import type { Sessions } from './sign-in/sessions.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { signInPage, signOut } from './sign-in/sign-in-page.ts';

const mostSigningIn = 30;

/** Returns true for paths of account and consent pages, also for those that do not exist. */
export function isAccountPath(path: string): boolean {
  const isConsent = Object.values(consentPaths).includes(path.replace(/\/$/, ''));
  return path === '/account' || path.startsWith('/account/') || isConsent;
}

export interface Pages {
  find(path: string): PageMethods | undefined;
  /** Methods and paths of all of them, such as `POST /account/keys`. */
  readonly routes: readonly string[];
}

export function createPages(
  { db, hasSignIn, now }: PageContext,
  { sessions, passwords }: { readonly sessions: Sessions; readonly passwords: Passwords },
): Pages {
  const inTurn = createFairQueue({ atOnce: passwords.atOnce, mostWaiting: mostSigningIn });
  const signIn = createSignIn({ db, passwords, inTurn, now });
  const signInPages: readonly (readonly [string, PageMethods])[] = [
    ['/account/sign-in', signInPage({ sessions, signIn })],
    ['/account/sign-out', signOut(sessions)],
    ['/account/password', passwordPage({ sessions, signIn, passwords, inTurn })],
  ];
  const pages = new Map<string, PageMethods>([
    ['/account', { get: async () => seeOther('/account/apps') }],
    ['/account/apps', appsPage],
    ['/account/apps/revoke', revokeConsumer],
    ['/account/apps/withdraw', revokePageApp],
    ['/account/keys', keysPage],
    ['/account/keys/revoke', revokeKey],
    [consentPaths.member, consentPage('member')],
    [consentPaths.admin, consentPage('admin')],
    ...(hasSignIn ? signInPages : []),
  ]);
  return {
    find: (path) => pages.get(path) ?? findPhotoPage(path),
    routes: [...pages, ...photoPages].flatMap(([path, page]) => methodsOf(page).map((method) => `${method} ${path}`)),
  };
}
