import { generateKeyPairSync } from 'node:crypto';
import { createAccount } from '@gantry/account';
import { listConsumersOf } from '@gantry/service';
import { listAuthorizations } from '@gantry/service/account';
import type { Database } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { verifierDigest } from '../../../service/src/auth/tokens.ts';
import { addRequestToken, exchangeToken, type Flow } from '../../../service/src/store/request-tokens.ts';
import { databases } from '../../../service/test/databases.ts';
import { publicUrl, secretKey } from '../../../service/test/site.ts';
import {
  type AccountSite,
  type Browser,
  hiddenFields,
  openAccountSite,
  openBrowser,
  openReader,
  type Shown,
  signIn,
} from '../account-site.ts';

interface Asked {
  readonly token?: string;
  readonly consumerKey?: string;
  readonly flow?: Flow;
  readonly callback?: string;
}

const callback = 'https://printer.example/back?step=2';

/** A consumer asks for a request token; answers the path of the page that asks the member. */
async function ask(site: AccountSite, options: Asked = {}): Promise<string> {
  const { token = 't', consumerKey = 'printer', flow = 'member' } = options;
  const at = { nowMs: site.nowMs, sealedSecret: '' };
  await addRequestToken(site.db, { token, consumerKey, flow, callback: options.callback ?? callback, ...at });
  return `${flow === 'admin' ? '/admin' : ''}/oauth/authorize?oauth_token=${token}`;
}

async function signedIn(
  open: () => Promise<Database>,
  memberId = '1',
): Promise<{ site: AccountSite; browser: Browser }> {
  const site = await openAccountSite(open);
  const browser = openReader(site);
  await signIn(browser, memberId);
  return { site, browser };
}

/** Text as people read it. */
function read(text: string): string {
  return text
    .replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe.each(databases)('account pages on $name', ({ open }) => {
  test('consent names the consumer and says in plain words what it may do (contract §5)', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site));
    expect(page.status).toBe(200);
    const text = read(page.text);
    expect(text).toContain('Photo printer asks to use your account');
    expect(text).toContain('It was registered by a member. Village has not checked it, nor its name.');
    expect(text).toContain('see your whole profile');
    expect(text).toContain('post activities in your name');
    expect(text).toContain('Your answer takes you to printer.example .');
    expect(text).not.toContain('not encrypted');
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https:;");
  });

  test('allowing sends the verifier to the callback, which keeps its own query (contract §5)', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site));
    const { status, location } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(status).toBe(303);
    expect(location).toMatch(/^https:\/\/printer\.example\/back\?step=2&oauth_token=t&oauth_verifier=[\w-]+$/);
  });

  test('denying says so to the callback (contract §5)', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site));
    const { status, location } = await browser.submit(page, '/oauth/authorize', { decision: 'deny' });
    expect([status, location]).toEqual([303, `${callback}&oauth_token=t&oauth_problem=permission_denied`]);
  });

  test('only the button that says so allows', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site));
    expect((await browser.submit(page, '/oauth/authorize')).location).toContain('permission_denied');
  });

  test('out of band, the member is shown the verifier, and it is the right one (contract §5)', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site, { callback: 'oob' }));
    expect(read(page.text)).toContain('You will be shown a code to type into Photo printer .');
    const reply = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    const verifier = /<code id="verifier">([^<]+)</.exec(reply.text)?.[1] ?? '';
    const exchange = {
      token: 't',
      flow: 'member',
      consumerKey: 'printer',
      accessToken: 'a',
      sealedSecret: '',
    } as const;
    const result = await exchangeToken(site.db, {
      ...exchange,
      verifierDigest: verifierDigest('t', verifier),
      nowMs: site.nowMs,
    });
    expect(result).toBe('exchanged');
  });

  test('out of band, a denial is said on a page', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get(await ask(site, { callback: 'oob' }));
    const reply = await browser.submit(page, '/oauth/authorize', { decision: 'deny' });
    expect([reply.status, read(reply.text).includes('Photo printer got no access to your account')]).toEqual([
      200,
      true,
    ]);
  });

  test('a request that is answered, old, unknown or of the other flow is over, and nothing leaks (contract §5)', async () => {
    const { site, browser } = await signedIn(open, '9');
    const path = await ask(site);
    const page = await browser.get(path);
    await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    const old = await ask(site, { token: 'old' });
    const both = [await browser.submit(page, '/oauth/authorize', { decision: 'allow' }), await browser.get(path)];
    const unknown = await browser.get('/oauth/authorize?oauth_token=unknown');
    const other = await browser.get('/admin/oauth/authorize?oauth_token=old');
    const none = await browser.get('/oauth/authorize');
    site.nowMs += 60 * 60 * 1000;
    for (const reply of [...both, unknown, other, none, await browser.get(old)]) {
      expect(reply.status).toBe(404);
      expect(read(reply.text)).toContain('This request is over');
      expect(reply.text).not.toContain('Photo printer');
    }
  });

  test('an administrator allows a consumer to act for every member, and the page says so (contract §5)', async () => {
    const { site, browser } = await signedIn(open, '9');
    const page = await browser.get(await ask(site, { consumerKey: 'backup', flow: 'admin' }));
    expect(read(page.text)).toContain('Backup asks to act for every member');
    expect(read(page.text)).toContain('This is about everybody’s data, not only yours.');
    const { location } = await browser.submit(page, '/admin/oauth/authorize', { decision: 'allow' });
    expect(location).toContain('&oauth_verifier=');
  });

  test('a member who is no administrator can neither see nor allow nor deny that, and can switch (contract §5)', async () => {
    const { site, browser } = await signedIn(open, '1');
    const path = await ask(site, { consumerKey: 'backup', flow: 'admin' });
    const page = await browser.get(path);
    expect(page.status).toBe(403);
    expect(read(page.text)).toContain('Only an administrator can allow that.');
    expect(page.text).not.toContain('Backup');
    const { form_token } = tokenOf(await browser.get('/account/keys'), '/account/keys');
    for (const decision of ['allow', 'deny']) {
      const fields = { form_token, oauth_token: 't', decision };
      expect((await browser.post('/admin/oauth/authorize', fields)).status).toBe(403);
    }
    const left = await browser.submit(page, '/account/sign-out', { return: path });
    expect(left.location).toBe(`/account/sign-in?return=${encodeURIComponent(path)}`);
    const back = await browser.submit(await browser.get(left.location ?? ''), '/account/sign-in', {
      member: '9',
      password: 'pass9',
    });
    expect(back.location).toBe(path);
    expect((await browser.get(path)).status).toBe(200);
  });

  test('a callback without encryption is warned of, unless it stays on this machine', async () => {
    const { site, browser } = await signedIn(open);
    const open_ = await browser.get(await ask(site, { token: 'a', callback: 'http://printer.example/' }));
    expect(read(open_.text)).toContain('The way there is not encrypted.');
    for (const [index, host] of ['localhost:8080', '127.0.0.1', '[::1]:99', 'app.localhost'].entries()) {
      const local = await browser.get(await ask(site, { token: `l${index}`, callback: `http://${host}/` }));
      expect(read(local.text)).toContain(`takes you to ${host}`);
      expect(read(local.text)).not.toContain('not encrypted');
    }
  });

  test('a title is text, however it is written (security rule 7)', async () => {
    const { site, browser } = await signedIn(open);
    const evil = '<script>alert(1)</script><a href="//evil">';
    await site.add({ consumers: [{ key: 'evil', secret: 's', kind: 'member', memberId: '2', title: evil }] });
    const page = await browser.get(await ask(site, { consumerKey: 'evil', callback: 'oob' }));
    const reply = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    await allowed(site, 'evil');
    const pages = [page, reply, await browser.get('/account/apps')];
    for (const { text } of pages) {
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('href="//evil"');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
  });

  test('a member’s authorizations are listed, and revoking one acts at once (contract §5)', async () => {
    const { site, browser } = await signedIn(open);
    expect(read((await browser.get('/account/apps')).text)).toContain('Nobody has access');
    await allowed(site, 'printer');
    const page = await browser.get('/account/apps');
    expect(read(page.text)).toContain('Photo printer Sees what you see, posts activities as you · since May 20, 2026');
    const done = await browser.submit(page, '/account/apps/revoke');
    expect([done.status, done.location]).toEqual([303, '/account/apps?revoked=yes']);
    expect(await listAuthorizations(site.db, '1')).toEqual([]);
    expect(read((await browser.get('/account/apps?revoked=yes')).text)).toContain('It is refused from now on.');
    expect((await browser.submit(page, '/account/apps/revoke')).location).toBe('/account/apps?revoked=no');
  });

  test('a member makes a key, sees its secret once, and revokes it', async () => {
    const { site, browser } = await signedIn(open, '10');
    const page = await browser.get('/account/keys');
    expect(read(page.text)).toContain('No keys yet');
    const made = await browser.submit(page, '/account/keys', { title: 'My <b>script</b>' });
    const secret = /<code id="secret">(\w{64})</.exec(made.text)?.[1] ?? '';
    const key = /<code id="key">(\w{32})</.exec(made.text)?.[1] ?? '';
    expect([made.status, made.headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await site.get('/people/@me/@self', { as: '10', key, secret })).status).toBe(200);
    const list = await browser.get('/account/keys');
    expect(list.text).toContain(key);
    expect(list.text).toContain('My &lt;b&gt;script&lt;/b&gt;');
    expect(list.text).not.toContain(secret);
    const at = list.text.indexOf('action="/account/keys/revoke"', list.text.indexOf(key));
    const fields = hiddenFields(list.text.slice(at), '/account/keys/revoke');
    expect((await browser.post('/account/keys/revoke', fields)).location).toBe('/account/keys?revoked=yes');
    expect((await site.get('/people/@me/@self', { as: '10', key, secret })).status).toBe(401);
  });

  test.each([
    ['', 'Give the key a name.'],
    ['x'.repeat(101), 'The name of a key has at most 100 characters, on one line, none of them invisible.'],
    ['a\u0000b', 'The name of a key has at most 100 characters, on one line, none of them invisible.'],
  ])('a key named %j is refused with a reason', async (title, problem) => {
    const { browser } = await signedIn(open);
    const reply = await browser.submit(await browser.get('/account/keys'), '/account/keys', { title });
    expect([reply.status, read(reply.text).includes(problem)]).toEqual([400, true]);
  });

  test('a key can sign by another method; with RSA there is no secret (contract §5)', async () => {
    const { site, browser } = await signedIn(open, '10');
    const page = await browser.get('/account/keys');
    const make = (fields: Record<string, string>) => browser.submit(page, '/account/keys', { title: 'K', ...fields });
    const missing = await make({ method: 'RSA-SHA1', public_key: 'nonsense' });
    expect([missing.status, missing.text.includes('role="alert"')]).toEqual([400, true]);
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const made = await make({ method: 'RSA-SHA1', public_key: pem });
    expect(read(made.text)).toContain('there is no secret to keep here');
    expect(made.text).not.toContain('id="secret"');
    await make({ method: 'HMAC-SHA256' });
    const methods = (await listConsumersOf(site.db, '10')).map(({ method }) => method).sort();
    expect(methods).toEqual(['HMAC-SHA256', 'RSA-SHA1']);
  });

  test('a refused form repeats a public key, and never what may be a private one', async () => {
    const { site, browser } = await signedIn(open);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
    const body = secret.split('\n').slice(1, -1).join('\n');
    const line = secret.split('\n')[5] ?? '';
    const quick = openBrowser(site.account);
    for (const cookie of browser.cookies) quick.cookies.set(...cookie);
    const refusals = [
      (key: string) => send(browser, { title: 'K', public_key: key }),
      (key: string) => send(browser, { title: '', public_key: key }),
      (key: string) => send(quick, { title: 'K', public_key: key }),
    ];
    for (const [index, refused] of refusals.entries()) {
      for (const key of [secret, body, `${publicPem}\n${secret}`]) {
        const reply = await refused(key);
        expect([400, 409]).toContain(reply.status);
        expect(reply.text).not.toContain(line);
      }
      if (index > 0) expect((await refused(publicPem)).text).toContain(publicPem); // control
    }
  });

  test('only an administrator makes administrators’ keys, and nobody revokes another’s', async () => {
    const { site, browser } = await signedIn(open);
    const page = await browser.get('/account/keys');
    await browser.submit(page, '/account/keys', { title: 'K', kind: 'admin', any: 'yes' });
    expect(await listConsumersOf(site.db, '1')).toMatchObject([
      { kind: 'member' },
      { kind: 'member', anyMember: false },
    ]);
    const fields = hiddenFields((await browser.get('/account/keys')).text, '/account/keys/revoke');
    expect((await browser.post('/account/keys/revoke', { ...fields, key: 'printer' })).location).toContain(
      'revoked=no',
    );
    const root = openReader(site);
    await signIn(root, '9');
    await root.submit(await root.get('/account/keys'), '/account/keys', { title: 'R', kind: 'admin', any: 'yes' });
    const made = (await listConsumersOf(site.db, '9')).find(({ title }) => title === 'R');
    expect(made).toMatchObject({ kind: 'admin', anyMember: true });
  });

  const forgeries: readonly (readonly [
    string,
    (browser: Browser, fields: Record<string, string>) => ReturnType<Browser['post']>,
  ])[] = [
    [
      'from another site',
      (browser, fields) =>
        browser.post('/account/apps/revoke', fields, {
          headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        }),
    ],
    [
      'from a sandboxed frame',
      (browser, fields) => browser.post('/account/apps/revoke', fields, { headers: { origin: 'null' } }),
    ],
    [
      'from a sibling host',
      (browser, fields) => browser.post('/account/apps/revoke', fields, { headers: { 'sec-fetch-site': 'same-site' } }),
    ],
    ['without the token', (browser, { form_token: _, ...fields }) => browser.post('/account/apps/revoke', fields)],
    [
      'with a token of another form',
      async (browser, fields) =>
        browser.post('/account/apps/revoke', {
          ...fields,
          ...tokenOf(await browser.get('/account/keys'), '/account/keys'),
        }),
    ],
    [
      'as another content type',
      (browser, fields) => browser.post('/account/apps/revoke', fields, { headers: { 'content-type': 'text/plain' } }),
    ],
  ];

  test.each(forgeries)('a form that was sent %s changes nothing', async (_, forge) => {
    const { site, browser } = await signedIn(open);
    await allowed(site, 'printer');
    const fields = hiddenFields((await browser.get('/account/apps')).text, '/account/apps/revoke');
    expect([403, 415]).toContain((await forge(browser, fields)).status);
    expect(await listAuthorizations(site.db, '1')).toHaveLength(1);
    expect((await browser.post('/account/apps/revoke', fields)).status).toBe(303); // control
    expect(await listAuthorizations(site.db, '1')).toHaveLength(0);
  });

  test('a form token of one member is nothing for another, nor after half a day', async () => {
    const { site, browser } = await signedIn(open);
    const fields = hiddenFields((await browser.get('/account/keys')).text, '/account/keys');
    const other = openReader(site);
    await signIn(other, '2');
    const reply = await other.post('/account/keys', { ...fields, title: 'x' });
    expect([reply.status, read(reply.text).includes('That page was out of date')]).toEqual([403, true]);
    site.nowMs += 12 * 60 * 60 * 1000;
    expect((await browser.post('/account/keys', { ...fields, title: 'x' })).status).toBe(403);
    expect((await browser.submit(await browser.get('/account/keys'), '/account/keys', { title: 'x' })).status).toBe(
      200,
    );
  });

  test('a sign-in form is bound to its browser, so no other site can sign a member in', async () => {
    const site = await openAccountSite(open);
    const attacker = openReader(site);
    const form = await attacker.get('/account/sign-in');
    const victim = openReader(site);
    expect((await victim.submit(form, '/account/sign-in', { member: '2', password: 'pass2' })).status).toBe(403);
    expect((await attacker.submit(form, '/account/sign-in', { member: '2', password: 'pass2' })).status).toBe(303);
  });

  test('unknown pages, methods and paths are said on a page', async () => {
    const { site, browser } = await signedIn(open);
    expect((await browser.get('/account/nonsense')).status).toBe(404);
    const { status, headers, body } = await site.account.handle(
      new Request(`${publicUrl}/account/apps`, { method: 'DELETE' }),
    );
    expect([status, headers.allow, String(body).includes('<h1>')]).toEqual([405, 'GET, HEAD', true]);
    const head = await site.account.handle(new Request(`${publicUrl}/account/sign-in`, { method: 'HEAD' }));
    expect([head.status, head.body]).toEqual([200, null]);
  });

  test('a site’s own sign-in names the member, and these pages have none', async () => {
    const viewer = async (request: Request) => request.headers.get('cookie')?.match(/who=(\w+)/)?.[1];
    const site = await openAccountSite(open, { viewer, signInUrl: '/login?from=gantry' });
    const browser = openReader(site);
    const path = await ask(site);
    const reply = await browser.get(path);
    expect(reply.status).toBe(403);
    expect(reply.text).toContain('href="/login?from=gantry&amp;return=%2Foauth%2Fauthorize%3Foauth_token%3Dt"');
    expect((await browser.get('/account/sign-in')).status).toBe(404);
    expect((await browser.get('/account/password')).status).toBe(404);
    browser.cookies.set('who', '1');
    const page = await browser.get(path);
    expect(read(page.text)).toContain('Signed in as Ann Use another account');
    expect((await browser.submit(page, '/oauth/authorize', { decision: 'allow' })).location).toContain(
      'oauth_verifier=',
    );
    browser.cookies.set('who', '77');
    expect((await browser.get('/account/apps')).status).toBe(403);
    browser.cookies.set('who', '2');
    const stale = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(stale.status).toBe(403);
  });

  test('a database that is away is said on a page, and so is a fault of ours', async () => {
    const site = await openAccountSite(open);
    const broken = openBrowser(
      createAccount({
        db: site.db,
        publicUrl,
        secretKey,
        mediaFolder: site.mediaFolder,
        viewer: () => Promise.reject(new Error('secret detail')),
      }),
    );
    const reply = await broken.get('/account/apps');
    expect([reply.status, reply.text.includes('secret detail')]).toEqual([500, false]);
    expect(read(reply.text)).toContain('Something went wrong');
    await site.db.close();
    const away = await openReader(site).get('/account/apps');
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1']);
  });
});

async function send(browser: Browser, fields: Readonly<Record<string, string>>): Promise<Shown> {
  return browser.submit(await browser.get('/account/keys'), '/account/keys', { method: 'RSA-SHA1', ...fields });
}

function tokenOf({ text }: { readonly text: string }, action: string): { form_token: string } {
  return { form_token: hiddenFields(text, action).form_token ?? '' };
}

/** Member 1 authorized a consumer, and it has its access token. */
async function allowed(site: AccountSite, consumerKey: string): Promise<void> {
  const browser = openReader(site);
  await signIn(browser, '1');
  const page = await browser.get(await ask(site, { token: 'granted', consumerKey, callback: 'oob' }));
  const { text } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
  const verifier = /<code id="verifier">([^<]+)</.exec(text)?.[1] ?? '';
  await exchangeToken(site.db, {
    token: 'granted',
    flow: 'member',
    consumerKey,
    verifierDigest: verifierDigest('granted', verifier),
    accessToken: 'access',
    sealedSecret: '',
    nowMs: site.nowMs,
  });
}
