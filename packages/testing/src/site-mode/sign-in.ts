import type { BrowserContext } from '@playwright/test';
import type { SiteMember } from './site-types.ts';

/**
 * Signs a member in, in a browser of their own. Passwords go in a request of the test, not through
 * a page: neither report nor picture shows them.
 *
 * @throws Error that says what the site answered, or that it still sees a visitor.
 */
export async function signIn(
  context: BrowserContext,
  { member, site }: { readonly member: SiteMember; readonly site: string },
): Promise<void> {
  if ('password' in member) return signInById(context, member, site);
  let left = site;
  if ('cookies' in member) await context.addCookies(member.cookies);
  else if ('storageState' in member) await context.setStorageState(member.storageState);
  else {
    const page = await context.newPage();
    await page.goto(site);
    await member.signIn(page);
    left = page.url();
    await page.close();
  }
  if (!(await isVisitor(context, site))) return;
  const [means] = Object.keys(member);
  throw new Error(
    means === 'signIn'
      ? `The signIn function signed nobody in: it ended at ${left}, and ${site} sees a visitor. End it with a wait for the page of a member: await page.waitForURL(…).`
      : `The ${means} sign nobody in: ${site} sees a visitor. The session may have ended, or be of another host.`,
  );
}

/** Asks as a page does. A site that answers pages of another address only tells nothing. */
async function isVisitor({ request }: BrowserContext, site: string): Promise<boolean> {
  const headers = { Origin: new URL(site).origin, 'Gantry-Container': '1' };
  const answer = await request.post(new URL('/gantry/grants', site).href, { headers, data: {} });
  return answer.status() === 401;
}

async function signInById(
  context: BrowserContext,
  { id, password }: Extract<SiteMember, { readonly password: string }>,
  site: string,
): Promise<void> {
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
