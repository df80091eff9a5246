import { createHash } from 'node:crypto';
import { type Database, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { addRequestToken } from '../../../service/src/store/request-tokens.ts';
import { databases } from '../../../service/test/databases.ts';
import { type AccountSite, type Browser, openAccountSite, openBrowser, type Shown, signIn } from '../account-site.ts';

const why = 'Your answer came within half a second';

interface Held {
  readonly name: string;
  /** Signed in as this member. */
  readonly as?: string;
  readonly page: string;
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const forms: readonly Held[] = [
  {
    name: 'allows a consumer',
    page: '/oauth/authorize?oauth_token=member',
    action: '/oauth/authorize',
    fields: { decision: 'allow' },
  },
  {
    name: 'denies a consumer',
    page: '/oauth/authorize?oauth_token=member',
    action: '/oauth/authorize',
    fields: { decision: 'deny' },
  },
  {
    name: 'lets a consumer act for every member',
    as: '9',
    page: '/admin/oauth/authorize?oauth_token=admin',
    action: '/admin/oauth/authorize',
    fields: { decision: 'allow' },
  },
  { name: 'makes a key', page: '/account/keys', action: '/account/keys', fields: { title: 'Mine' } },
  { name: 'revokes a key', page: '/account/keys', action: '/account/keys/revoke' },
  { name: 'takes back access', page: '/account/apps', action: '/account/apps/revoke' },
  { name: 'takes back what an app may do', page: '/account/apps', action: '/account/apps/withdraw' },
  {
    name: 'deletes an album',
    page: '/account/photos/album/a1/edit',
    action: '/account/photos/album/a1/delete',
  },
  { name: 'deletes a photo', page: '/account/photos/photo/p1', action: '/account/photos/photo/p1/delete' },
];

/** A site in which member 1 has one of everything that can be taken away. */
async function openFurnished(open: () => Promise<Database>): Promise<AccountSite> {
  const granted = new Set(['quiz']);
  const pageApps = {
    list: async () => [...granted].map((id) => ({ id, title: 'Quiz', granted: [] })),
    revoke: async (_: string, app: string) => granted.delete(app),
  };
  const site = await openAccountSite(open, { pageApps });
  await site.add({
    consumers: [{ key: 'own', secret: 's', kind: 'member', memberId: '1', title: 'Own' }],
    albums: [{ id: 'a1', ownerId: '1', title: 'Harbour' }],
    mediaItems: [{ id: 'p1', albumId: 'a1', title: 'Boat', url: '/boat.jpg' }],
  });
  const token = { nowMs: site.nowMs, sealedSecret: '', callback: 'oob' };
  await addRequestToken(site.db, { ...token, token: 'member', consumerKey: 'printer', flow: 'member' });
  await addRequestToken(site.db, { ...token, token: 'admin', consumerKey: 'backup', flow: 'admin' });
  await site.db.query(sql`
    insert into access_token (token, consumer_key, member_id, flow, sealed_secret, created_at_ms)
    values ('t', 'printer', '1', 'member', '', ${site.nowMs})`);
  return site;
}

async function opened(open: () => Promise<Database>, as = '1'): Promise<{ site: AccountSite; browser: Browser }> {
  const site = await openFurnished(open);
  const browser = openBrowser(site.account);
  await signIn(browser, as);
  return { site, browser };
}

/** All that a form could change. */
async function stateOf({ db }: AccountSite): Promise<string> {
  const tables = [sql`request_token`, sql`access_token`, sql`consumer`, sql`album`, sql`media_item`];
  return JSON.stringify(await Promise.all(tables.map((table) => db.query(sql`select * from ${table}`))));
}

/** The script of a page, if its policy lets it run. */
function runningScript({ text, headers }: Shown): string | undefined {
  const script = /<script>(.*?)<\/script>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  return headers['content-security-policy']?.includes(`script-src 'sha256-${hash}'`) ? script : undefined;
}

describe.each(databases)('a form that takes one click on $name', ({ open }) => {
  test.each(forms)(
    'and $name acts half a second after its page was made, and not before (security rule 26)',
    async (form) => {
      const { site, browser } = await opened(open, form.as);
      const page = await browser.get(form.page);
      expect([page.status, runningScript(page)]).toEqual([200, expect.stringContaining('aria-disabled')]);
      const before = await stateOf(site);
      for (const ms of [0, 499]) {
        site.nowMs += ms;
        const again = await browser.submit(page, form.action, form.fields);
        expect([again.status, again.text.includes(why), again.text.includes('role="alert"')]).toEqual([
          409,
          true,
          true,
        ]);
        expect(runningScript(again)).toContain('aria-disabled');
        expect(await stateOf(site)).toBe(before);
        const soon = await browser.submit(again, form.action, form.fields);
        expect(soon.status).toBe(409);
      }
      site.nowMs += 1;
      const done = await browser.submit(page, form.action, form.fields);
      expect([200, 303]).toContain(done.status);
      expect(done.text).not.toContain(why);
      if (form.action !== '/account/apps/withdraw') expect(await stateOf(site)).not.toBe(before);
    },
  );

  test('is shown again with its question open and its input kept', async () => {
    const { browser } = await opened(open, '9');
    const page = await browser.get('/account/keys');
    const key = '-----BEGIN PUBLIC KEY----- <x>';
    const typed = { title: 'Nightly <b>', kind: 'admin', any: 'yes', method: 'RSA-SHA1', public_key: key };
    const again = await browser.submit(page, '/account/keys', typed);
    expect(again.text).toContain('value="Nightly &lt;b&gt;"');
    expect(again.text).toContain('value="admin" checked');
    expect(again.text).not.toContain('value="member" checked');
    expect(again.text).toContain('value="yes" checked');
    expect(again.text).toContain('<option selected>RSA-SHA1</option>');
    expect(again.text).toContain('-----BEGIN PUBLIC KEY----- &lt;x&gt;</textarea>');
    expect(again.text).toContain('<details class="more" open>');
    expect(page.text).toContain('value="member" checked'); // control
    expect(page.text).not.toContain('<details class="confirm" open>');
    const revoking = await browser.submit(page, '/account/keys/revoke');
    expect(revoking.text.match(/<details class="confirm" open>/g)).toHaveLength(1);
  });

  test('and forms that take typing, or do no harm, act at once', async () => {
    const { site, browser } = await opened(open);
    const password = await browser.get('/account/password');
    const changed = await browser.submit(password, '/account/password', { old: 'pass1', new: 'a longer one' });
    expect(changed.location).toBe('/account/password?done=1');
    const album = await browser.get('/account/photos/album/a1/edit');
    const saved = await browser.submit(album, '/account/photos/album/a1/edit', { title: 'Pier', visibility: 'site' });
    expect(saved.status).toBe(303);
    const out = await browser.submit(await browser.get('/account/apps'), '/account/sign-out');
    expect(out.status).toBe(303);
    expect((await signIn(openBrowser(site.account), '2')).status).toBe(303);
  });

  test('may come from a machine whose clock is ahead, and not from far in the future', async () => {
    const { site, browser } = await opened(open);
    site.nowMs += 30_000;
    const ahead = await browser.get('/account/keys');
    site.nowMs -= 30_000;
    expect((await browser.submit(ahead, '/account/keys', { title: 'x' })).status).toBe(409);
    site.nowMs += 90_000;
    const far = await browser.get('/account/keys');
    site.nowMs -= 90_000;
    expect((await browser.submit(far, '/account/keys', { title: 'x' })).status).toBe(403);
  });
});
