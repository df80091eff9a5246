import { type Language, languages, messagesIn } from '@gantry/wire/texts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addRequestToken } from '../../../service/src/store/request-tokens.ts';
import { databases } from '../../../service/test/databases.ts';
import { publicUrl } from '../../../service/test/site.ts';
import { createTexts, messagesByLanguage } from '../../src/messages/texts.ts';
import {
  type AccountSite,
  type Browser,
  openAccountSite,
  openBrowser,
  openReader,
  type Shown,
  signIn,
} from '../account-site.ts';

const { open } = databases[0] as (typeof databases)[number];
const mine = '/account/photos/album/a1';

/** Pages by what a member does to see them. `quick` is a browser that posts without a wait. */
const pages: Readonly<Record<string, (browser: Browser, quick: Browser) => Promise<Shown>>> = {
  'the apps': (browser) => browser.get('/account/apps'),
  'the apps after access was taken back': (browser) => browser.get('/account/apps?revoked=yes'),
  'the apps after nothing was taken back': (browser) => browser.get('/account/apps?revoked=no'),
  'access that is taken back too soon': async (browser, quick) => {
    for (const cookie of browser.cookies) quick.cookies.set(...cookie);
    return quick.submit(await quick.get('/account/apps'), '/account/apps/withdraw');
  },
  'the keys': (browser) => browser.get('/account/keys'),
  'a key without a name': (browser) => send(browser, '/account/keys', { title: '' }),
  'a key with a long name': (browser) => send(browser, '/account/keys', { title: 'x'.repeat(101) }),
  'a key with a private key': (browser) =>
    send(browser, '/account/keys', { title: 'x', method: 'RSA-SHA1', public_key: 'PRIVATE KEY' }),
  'a key with no key': (browser) => send(browser, '/account/keys', { title: 'x', method: 'RSA-SHA1' }),
  'a new key': (browser) => send(browser, '/account/keys', { title: 'Zq' }),
  'the password': (browser) => browser.get('/account/password?done=1'),
  'a wrong password': (browser) => send(browser, '/account/password', { old: 'x', new: 'long enough' }),
  'a short password': (browser) => send(browser, '/account/password', { old: 'x', new: 'x' }),
  'a long password': (browser) => send(browser, '/account/password', { old: 'x', new: 'x'.repeat(300) }),
  'consent to act for every member': (browser) => browser.get('/admin/oauth/authorize?oauth_token=admin'),
  'consent for a member': (browser) => browser.get('/oauth/authorize?oauth_token=open'),
  'consent with a code': async (browser) => {
    const page = await browser.get('/oauth/authorize?oauth_token=oob');
    expect(page.text).toContain('data-held');
    return page;
  },
  'a code': async (browser) => {
    const page = await browser.get('/oauth/authorize?oauth_token=code');
    return browser.submit(page, '/oauth/authorize', { decision: 'allow' });
  },
  'a denial': async (browser) => {
    const page = await browser.get('/oauth/authorize?oauth_token=denied');
    return browser.submit(page, '/oauth/authorize', { decision: 'deny' });
  },
  'a request that is over': (browser) => browser.get('/oauth/authorize?oauth_token=none'),
  'the albums': (browser) => browser.get('/account/photos?deleted'),
  'an album': (browser) => browser.get(mine),
  'an album after a photo was added': (browser) => browser.get(`${mine}?added=1`),
  'an album after it was saved': (browser) => browser.get(`${mine}?saved`),
  'an album after a photo was deleted': (browser) => browser.get(`${mine}?deleted`),
  'an album of several pages': (browser) => browser.get('/account/photos/album/a2?page=2'),
  'an album without photos': (browser) => browser.get('/account/photos/album/a3'),
  'a new album': (browser) => browser.get('/account/photos/new-album'),
  'a new album without a title': (browser) => send(browser, '/account/photos/new-album', { title: '' }),
  'a new album with a long title': (browser) =>
    send(browser, '/account/photos/new-album', { title: 'x'.repeat(201), visibility: 'site' }),
  'a new album for nobody knows whom': (browser) => send(browser, '/account/photos/new-album', { title: 'x' }),
  'the form of an album': (browser) => browser.get(`${mine}/edit`),
  'a photo': (browser) => browser.get('/account/photos/photo/p1?saved'),
  'another member’s photo': (browser) => browser.get('/account/photos/photo/nothing'),
  'another member’s album': (browser) => browser.get('/account/photos/album/nothing'),
  'another member’s picture': (browser) => browser.get('/account/photos/photo/nothing/preview'),
  'an upload without files': async (browser) => browser.post(`${mine}/upload`, {}),
  'an unknown page': (browser) => browser.get('/account/nothing'),
  'a method that there is not': (browser) => browser.post('/account/nothing', {}),
  'a form of an old page': (browser) => browser.post('/account/keys', { title: 'x' }),
  'a form from another site': (browser) =>
    browser.post('/account/keys', {}, { headers: { origin: 'https://evil.example' } }),
  'a form of another type': (browser) =>
    browser.post('/account/keys', {}, { headers: { 'content-type': 'text/plain' } }),
  'a form with many fields': (browser) =>
    browser.post('/account/keys', Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}`, '']))),
  'a form that is too large': (browser) => browser.post('/account/keys', { title: 'x'.repeat(2 ** 21) }),
  'the sign-in': async (browser) => {
    await browser.submit(await browser.get('/account/apps'), '/account/sign-out');
    return browser.get('/account/sign-in?left=1');
  },
  'a sign-in without a password': (browser) => send(browser, '/account/sign-in', { member: 'x' }),
  'a wrong sign-in': (browser) => send(browser, '/account/sign-in', { member: 'x', password: 'x' }),
};

async function send(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Shown> {
  return browser.submit(await browser.get(path), path, fields);
}

async function openFurnished(): Promise<AccountSite> {
  const granted = ['people', 'appdata.write', 'host:https://host.example', 'server:https://host.example'] as const;
  const pageApps = {
    list: async () => [
      { id: 'quiz', title: 'Zq', granted, decidedAtMs: 0 },
      { id: 'trusted', title: 'Zq', granted },
    ],
    revoke: async () => true,
  };
  const site = await openAccountSite(open, { pageApps });
  const photos = (album: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${album}p${index}`, albumId: album, title: 'Zq', url: '/q' }));
  await site.add({
    site: { name: 'Zq' },
    members: [{ id: '9', displayName: 'Zq', admin: true }],
    consumers: [
      { key: 'zq1', secret: 's', kind: 'member', memberId: '9', title: '' },
      { key: 'zq2', secret: 's', kind: 'admin', memberId: '9', title: 'Zq' },
      { key: 'zq3', secret: 's', kind: 'admin', memberId: '9', title: 'Zq', anyMember: true },
      { key: 'printer', secret: 's', kind: 'member', memberId: '2', title: 'Zq' },
    ],
    albums: [
      { id: 'a1', ownerId: '9', title: '', visibility: 'friends' },
      { id: 'a2', ownerId: '9', title: 'Zq', visibility: 'private' },
      { id: 'a3', ownerId: '9', title: 'Zq' },
    ],
    mediaItems: [{ id: 'p1', albumId: 'a1', title: '', url: '/q' }, ...photos('a2', 121)],
  });
  const request = { nowMs: site.nowMs, sealedSecret: '', flow: 'member' } as const;
  await addRequestToken(site.db, { ...request, token: 'admin', consumerKey: 'zq2', flow: 'admin', callback: 'oob' });
  await addRequestToken(site.db, { ...request, token: 'open', consumerKey: 'printer', callback: 'http://zq.example/' });
  for (const token of ['oob', 'code', 'denied']) {
    await addRequestToken(site.db, { ...request, token, consumerKey: 'printer', callback: 'oob' });
  }
  return site;
}

/** All that a person reads or hears of a page, without dates. */
function visibleTexts(text: string): readonly string[] {
  const visibleHtml = text.replace(/<(style|script|time|code|option|textarea)\b.*?<\/\1>/gs, '');
  const attributes = Array.from(
    visibleHtml.matchAll(/ (?:aria-label|alt|title|placeholder|data-copied|data-selected)="([^"]*)"/g),
    ([, value = '']) => value,
  );
  const scripted = /data-texts="([^"]*)"/.exec(visibleHtml)?.[1];
  const values = scripted === undefined ? [] : (Object.values(JSON.parse(unescaped(scripted))) as string[]);
  return [...visibleHtml.split(/<[^>]*>/), ...attributes, ...values].map(unescaped).filter((one) => /\p{L}/u.test(one));
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** Names that a site's people chose, and those of formats. */
const names = ['Zq', 'zq', 'zq.example', 'host.example', 'Backup'];
const formats = ['application/x-www-form-urlencoded', 'multipart/form-data', 'total', 'number', 'added'];

/** Makes the function that removes all texts of a language, longest first. */
async function leftoversIn(language: Language): Promise<(text: string) => string> {
  const { sentences } = await messagesIn(language);
  const texts = [...Object.values(messagesByLanguage[language]), ...Object.values(sentences), ...names, ...formats];
  const pieces = texts
    .flatMap((text) => text.split(/\{\w+\}/))
    .map((piece) => piece.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((piece) => piece !== '')
    .sort((a, b) => b.length - a.length)
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const ownTexts = new RegExp(`(?<!\\p{L})(?:${pieces.join('|')})(?!\\p{L})`, 'gu');
  return (text) =>
    text
      .replace(ownTexts, ' ')
      .replace(/[^\p{L}]+/gu, ' ')
      .trim();
}

describe.each(languages)('account pages in %s', (language) => {
  const pageByName = new Map<string, Shown>();

  beforeAll(async () => {
    const site = await openFurnished();
    const accepted = `${language};q=0.9, ja`;
    const browser = openReader(site, accepted);
    const quick = openBrowser(site.account, undefined, accepted);
    await signIn(browser, '9');
    for (const [name, open] of Object.entries(pages)) pageByName.set(name, await open(browser, quick));
  });

  test.each(Object.keys(pages))('%s: every text is of that language, and no other is left', async (name) => {
    const { text, headers } = pageByName.get(name) ?? { text: '', headers: {} };
    expect(text).toContain(`<html lang="${language}">`);
    expect(headers).toMatchObject({ 'content-language': language, vary: 'Accept-Language' });
    const texts = visibleTexts(text);
    expect(texts.length).toBeGreaterThan(3);
    const leftovers = await leftoversIn(language);
    expect(texts.map(leftovers).filter((left) => left !== '')).toEqual([]);
    const other = await leftoversIn(language === 'en' ? 'de' : 'en'); // control
    expect(texts.map(other).filter((left) => left !== '').length).toBeGreaterThan(2);
  });
});

describe('the language of a page (RFC 9110 §12.5.4)', () => {
  let site: AccountSite;
  beforeAll(async () => {
    site = await openAccountSite(open);
  });

  async function languageFor(header: string | undefined): Promise<string | undefined> {
    const headers = header === undefined ? {} : { 'accept-language': header };
    const answer = await site.account.handle(new Request(`${publicUrl}/account/sign-in`, { headers }));
    const [, lang] = /<html lang="(\w+)">/.exec(String(answer.body)) ?? [];
    expect(answer.headers['content-language']).toBe(lang);
    return lang;
  }

  test('is the one with the highest quality that there is, whatever else is asked for', async () => {
    const tag = fc.constantFrom('en', 'de', 'fr', 'de-CH', 'FR', 'fr-CA', 'ja', 'pt-BR', '*', 'defr');
    const quality = fc.integer({ min: 0, max: 10 });
    const tags = fc.array(fc.record({ tag, quality }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(tags, async (list) => {
        const header = list.map((one) => `${one.tag};q=${one.quality / 10}`).join(', ');
        const candidates = list
          .map((one) => ({ ...one, tag: one.tag.toLowerCase().split('-')[0] }))
          .filter((one) => languages.some((language) => language === one.tag) && one.quality > 0);
        const best = Math.max(...candidates.map((one) => one.quality));
        expect(await languageFor(header)).toBe(candidates.find((one) => one.quality === best)?.tag ?? 'en');
      }),
      { numRuns: 60 },
    );
  });

  test('is English without the header, and for text that is none', async () => {
    expect(await languageFor(undefined)).toBe('en');
    const visible = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    await fc.assert(
      fc.asyncProperty(visible, async (header) => {
        expect(languages).toContain(await languageFor(header));
      }),
      { numRuns: 60 },
    );
  });

  test('is that of messages too: a refused upload says why in it, as JSON', async () => {
    const answer = await site.account.handle(
      new Request(`${publicUrl}${mine}/upload`, { method: 'PUT', body: 'x', headers: { 'accept-language': 'fr' } }),
    );
    expect(answer.headers['content-language']).toBe('fr');
    expect(JSON.parse(String(answer.body)).error.message).toBe(createTexts('fr').say('form.otherSite'));
  });

  test('is that of failures without a database', async () => {
    await site.db.close();
    const answer = await site.account.handle(
      new Request(`${publicUrl}/account/apps`, { headers: { 'accept-language': 'de' } }),
    );
    expect([answer.status, answer.headers['content-language']]).toEqual([503, 'de']);
    expect(answer.body).toBe('Einen Moment, bitte. Die Website ist ausgelastet. Versuche es gleich noch einmal.');
  });
});
