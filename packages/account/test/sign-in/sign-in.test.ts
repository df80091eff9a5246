import { createAccount } from '@gantry/account';
import { createPasswords, passwordProblem } from '@gantry/service';
import { openSqlite, type Statement, sql } from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { publicUrl, secretKey } from '../../../service/test/site.ts';
import { ownCookie } from '../../src/http/cookies.ts';
import { returnPath } from '../../src/http/return-path.ts';
import { openAccountSite, openBrowser, signIn } from '../account-site.ts';

const session = '__Host-gantry_session';
const minute = 60 * 1000;
const day = 24 * 60 * minute;

test('the cookies of sites on two ports of one host have names of their own', () => {
  const names = ['http://localhost:4400', 'http://localhost:4500', 'https://h.example:8443', 'https://h.example'].map(
    (url) => ownCookie(url, 'gantry_session').name,
  );
  expect(names).toEqual([
    'gantry_session_4400',
    'gantry_session_4500',
    '__Host-gantry_session_8443',
    '__Host-gantry_session',
  ]);
});

describe.each(databases)('sign-in on $name', ({ open }) => {
  test('a member signs in, comes back to where they were, and signs out', async () => {
    const { account } = await openAccountSite(open);
    const browser = openBrowser(account);
    const reply = await browser.get('/oauth/authorize?oauth_token=a%26b');
    expect([reply.status, reply.location]).toEqual([
      303,
      '/account/sign-in?return=%2Foauth%2Fauthorize%3Foauth_token%3Da%2526b',
    ]);
    const form = await browser.get(reply.location ?? '');
    const done = await browser.submit(form, '/account/sign-in', { member: '1', password: 'pass1' });
    expect([done.status, done.location]).toEqual([303, '/oauth/authorize?oauth_token=a%26b']);
    const page = await browser.get('/account/apps');
    expect(page.text).toContain('<bdi>Ann</bdi>');
    const out = await browser.submit(page, '/account/sign-out');
    expect([out.status, browser.cookies.has(session)]).toEqual([303, false]);
    expect((await browser.get('/account/apps')).status).toBe(303);
  });

  test('the cookie is the browser’s alone, and the database holds only a digest of it', async () => {
    const { account, db } = await openAccountSite(open);
    const browser = openBrowser(account);
    const { headers } = await signIn(browser, '1');
    expect(headers['set-cookie']).toMatch(
      /^__Host-gantry_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const value = browser.cookies.get(session) ?? '';
    const rows = JSON.stringify(await db.query(sql`select * from member_session`));
    expect(rows).not.toContain(value);
    expect(rows).toContain('"member_id":"1"'); // control
  });

  test('a wrong password and an unknown member get the same answer', async () => {
    const { account } = await openAccountSite(open);
    const answers = [];
    for (const [member, password] of [
      ['1', 'wrong'],
      ['nobody', 'wrong'],
      ['a b', 'wrong'],
      ['5', 'pass5'],
    ] as const) {
      const browser = openBrowser(account);
      const { status, text } = await signIn(browser, member, password);
      answers.push([status, text.replaceAll(/value="[^"]*"/g, ''), browser.cookies.has(session)]);
    }
    expect(answers[0]?.[0]).toBe(401);
    expect(answers.slice(1)).toEqual([answers[0], answers[0], answers[0]]);
  });

  test('an unknown member costs as much work as a known one', async () => {
    const passwords = createPasswords();
    const { account } = await openAccountSite(open, { passwords });
    const stored = await passwords.hash('right');
    const took = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage();
      await work();
      const { user } = process.cpuUsage(before);
      return user;
    };
    const knownMs = await took(() => passwords.matches(stored, 'wrong'));
    const unknown = await took(() => signIn(openBrowser(account), 'nobody', 'wrong'));
    expect(unknown).toBeGreaterThan(knownMs / 2);
  });

  test('a session that was planted before the sign-in is not the member’s afterwards', async () => {
    const { account } = await openAccountSite(open);
    const browser = openBrowser(account);
    const planted = 'A'.repeat(43);
    browser.cookies.set(session, planted);
    await signIn(browser, '1');
    expect(browser.cookies.get(session)).not.toBe(planted);
    const attacker = openBrowser(account);
    attacker.cookies.set(session, planted);
    expect((await attacker.get('/account/apps')).status).toBe(303);
    attacker.cookies.set(session, browser.cookies.get(session) ?? ''); // control: the real one would do
    expect((await attacker.get('/account/apps')).status).toBe(200);
  });

  test('signing in again begins a new session and ends the old one', async () => {
    const { account } = await openAccountSite(open);
    const browser = openBrowser(account);
    await signIn(browser, '1');
    const thief = openBrowser(account);
    thief.cookies.set(session, browser.cookies.get(session) ?? '');
    expect((await thief.get('/account/apps')).status).toBe(200);
    await browser.submit(await browser.get('/account/apps'), '/account/sign-out');
    expect((await thief.get('/account/apps')).status).toBe(303);
  });

  test('a session ends after 14 days without use, and after 90 days in any case', async () => {
    const site = await openAccountSite(open);
    const browser = openBrowser(site.account);
    await signIn(browser, '1');
    for (let used = 13; used < 90; used += 13) {
      site.nowMs += 13 * day;
      expect((await browser.get('/account/apps')).status).toBe(200);
    }
    site.nowMs += 13 * day;
    expect((await browser.get('/account/apps')).status).toBe(303);
    await signIn(browser, '1');
    site.nowMs += 14 * day;
    expect((await browser.get('/account/apps')).status).toBe(303);
  });

  test('a member has a hundred sessions at most, and the oldest ends (security rule 25)', async () => {
    const site = await openAccountSite(open);
    const browsers = [];
    for (let index = 0; index < 101; index++) {
      const browser = openBrowser(site.account);
      await signIn(browser, '1');
      browsers.push(browser);
      site.nowMs += 1;
    }
    const [first, second] = await Promise.all(browsers.slice(0, 2).map((browser) => browser.get('/account/apps')));
    expect([first?.status, second?.status]).toEqual([303, 200]);
  });

  test('a changed password signs out everywhere else', async () => {
    const { account } = await openAccountSite(open);
    const here = openBrowser(account);
    const there = openBrowser(account);
    const other = openBrowser(account);
    await signIn(here, '1');
    await signIn(there, '1');
    await signIn(other, '2');
    const form = await here.get('/account/password');
    const wrong = await here.submit(form, '/account/password', { old: 'wrong', new: 'a longer one' });
    expect([wrong.status, wrong.text.includes('That is not your present password.')]).toEqual([400, true]);
    const short = await here.submit(form, '/account/password', { old: 'pass1', new: 'short' });
    expect([short.status, short.text.includes('at least 8 characters')]).toEqual([400, true]);
    const done = await here.submit(form, '/account/password', { old: 'pass1', new: 'a longer one' });
    expect([done.status, done.location]).toEqual([303, '/account/password?done=1']);
    expect((await here.get('/account/apps')).status).toBe(200);
    expect((await there.get('/account/apps')).status).toBe(303);
    expect((await other.get('/account/apps')).status).toBe(200);
    expect((await signIn(there, '1')).status).toBe(401);
    expect((await signIn(there, '1', 'a longer one')).status).toBe(303);
  });

  test('ten wrong passwords in a quarter of an hour close a member’s sign-in for its rest', async () => {
    const site = await openAccountSite(open);
    const browser = openBrowser(site.account);
    for (let guess = 0; guess < 10; guess++) expect((await signIn(browser, '1', 'wrong')).status).toBe(401);
    const limited = await signIn(browser, '1');
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '900']);
    expect(limited.text).toContain('There were too many attempts. Try again in 15 minutes.');
    expect((await signIn(browser, '2')).status).toBe(303);
    site.nowMs += 15 * minute;
    expect((await signIn(openBrowser(site.account), '1')).status).toBe(303);
  });

  test('guesses in parallel are counted before they are checked', async () => {
    const { account } = await openAccountSite(open);
    const browser = openBrowser(account);
    const form = await browser.get('/account/sign-in');
    const guess = () => browser.submit(form, '/account/sign-in', { member: '1', password: 'wrong' });
    const statuses = (await Promise.all(Array.from({ length: 14 }, guess))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('an address that tries many members is limited, and its neighbour is not', async () => {
    const { account } = await openAccountSite(open);
    const browser = openBrowser(account);
    const form = await browser.get('/account/sign-in');
    const from = async (address: string, member: string, password = `pass${member}`) =>
      (await browser.submit(form, '/account/sign-in', { member, password }, { address })).status;
    for (let guess = 0; guess < 50; guess++) expect(await from('2001:db8::1', `m${guess}`)).toBe(401);
    expect(await from('2001:db8::2', '1')).toBe(429);
    expect(await from('2001:db8:1::1', '1')).toBe(303);
  });

  test('right sign-ins do not use up the limit', async () => {
    const { account } = await openAccountSite(open);
    for (let time = 0; time < 12; time++) expect((await signIn(openBrowser(account), '2')).status).toBe(303);
  });

  test('a hash of another cost is replaced when its password is typed', async () => {
    const { account, db } = await openAccountSite(open, { passwords: createPasswords() });
    const hashes = () => db.query<{ hash: string }>(sql`select hash from member_password where member_id = '1'`);
    expect((await hashes())[0]?.hash).toMatch(/^scrypt\$4\$8\$1\$/);
    await signIn(openBrowser(account), '1');
    expect((await hashes())[0]?.hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect((await signIn(openBrowser(account), '1')).status).toBe(303);
  });
});

test('pages for members look up, and scan no table (architecture: storage)', async () => {
  const run: Statement[] = [];
  const site = await openAccountSite(async () => openSqlite({ file: ':memory:' }));
  const watched = {
    ...site.db,
    query<R>(statement: Statement) {
      run.push(statement);
      return site.db.query<R>(statement);
    },
  };
  const browser = openBrowser(
    createAccount({ db: watched, publicUrl, secretKey, mediaFolder: site.mediaFolder, now: () => site.nowMs }),
  );
  await signIn(browser, '1');
  for (const path of ['/account/apps', '/account/keys', '/oauth/authorize?oauth_token=x']) await browser.get(path);
  const scans = [];
  for (const statement of run) {
    const plan = await site.db.query<{ detail: string }>(sql`explain query plan ${statement}`);
    scans.push(...plan.map(({ detail }) => detail).filter((line) => /^SCAN (?!setting)/.test(line)));
  }
  expect(run.length).toBeGreaterThan(10); // control
  expect(scans).toEqual([]);
});

const outside = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%0a/x\n',
  'javascript:alert(1)',
  '/.//evil.example',
  '/x/..//evil.example',
  'evil',
  '',
  ' /x',
];

test.each(outside)('%j is nowhere to return to', async (target) => {
  expect(returnPath(target)).toBe(undefined);
});

test('a path that is returned to is on the site, whatever was sent', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('/', '\\', '.', '\t', '@', ':', 'e', '%2f', '?', '#') }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const sent of [text, `/${text}`]) {
        const path = returnPath(sent);
        if (path === undefined) continue;
        expect(new URL(path, publicUrl).origin).toBe(publicUrl);
        expect(path).toMatch(/^\/(?![/\\])/);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(returnPath('/oauth/authorize?oauth_token=a%26b#c')).toBe('/oauth/authorize?oauth_token=a%26b#c'); // control
});

test('a password matches however its characters were composed, and no other does', async () => {
  const passwords = createPasswords();
  const stored = await passwords.hash('Zoe\u0308 ist da');
  expect(stored).not.toBe(await passwords.hash('Zoe\u0308 ist da'));
  expect(await passwords.matches(stored, 'Zo\u00eb ist da')).toBe(true);
  expect(await passwords.matches(stored, 'Zoe ist da')).toBe(false);
});

test('a new password has 8 to 200 characters', () => {
  expect(passwordProblem('1234567')).toBe('A password has at least 8 characters.');
  expect(passwordProblem('👍'.repeat(8))).toBe(undefined);
  expect(passwordProblem('x'.repeat(201))).toBe('A password has at most 200 characters.');
});
