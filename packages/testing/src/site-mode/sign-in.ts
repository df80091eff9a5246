import type { BrowserContext } from '@playwright/test';
import type { SiteMember } from './site-types.ts';

/**
 * Signs a member in, in a browser of their own. Passwords go in a request of the test, not through
 * a page: neither report nor picture shows them.
 *
 * @throws Error that says what the site answered.
 */
export async function signIn(
  context: BrowserContext,
  { member, site }: { readonly member: SiteMember; readonly site: string },
): Promise<void> {
  if ('cookies' in member) return context.addCookies(member.cookies);
  if ('storageState' in member) return context.setStorageState(member.storageState);
  if ('signIn' in member) {
    const page = await context.newPage();
    await page.goto(site);
    await member.signIn(page);
    return page.close();
  }
  const { id, password } = member;
  const address = new URL('/account/sign-in', site);
  const page = await context.request.get(address.href);
  const [, token = ''] = /name="form_token" value="([\w.-]+)"/.exec(await page.text()) ?? [];
  const answer = await context.request.post(address.href, {
    form: { member: id, password, return: '/', form_token: token },
    headers: { Origin: address.origin },
    maxRedirects: 0,
  });
  if (answer.status() === 303) return;
  throw new Error(
    answer.status() === 404
      ? `${address.href} is not there: the site has a sign-in of its own. Give the member a signIn function, cookies or a storageState.`
      : `The site did not sign ${id} in: ${address.href} answered ${answer.status()}.`,
  );
}

/** Finds a member of the option `members`. @throws Error that lists their names. */
export function memberNamed(name: string, members: Readonly<Record<string, SiteMember>>): SiteMember {
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member) return member;
  throw new Error(`There is no member ${name}. The option members has: ${Object.keys(members).join(', ') || 'none'}.`);
}
