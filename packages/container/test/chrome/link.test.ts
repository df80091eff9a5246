import { expect, test } from 'vitest';
import { asksBefore, readLink } from '../../src/chrome/link.ts';

const web = ['https:', 'http:', 'mailto:'];

test('the host of a name beyond ASCII is its encoded form, which tells look-alikes apart', () => {
  expect(readLink('https://аpple.example/a', web).host).toBe('xn--pple-43d.example');
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://site.example/1',
  'file:///etc/passwd',
  'https://bank.example@evil.example/',
  '/relative',
  '//host.example',
  `https://long.example/${'x'.repeat(2_048)}`,
  { toString: () => 'https://site.example' },
  undefined,
])('%s is no link that an app may open', (link) => {
  expect(() => readLink(link, web)).toThrow(/^A link is an absolute address/);
});

test('web and mail addresses are', () => {
  for (const link of ['https://site.example/', 'http://site.example/', 'mailto:ann@site.example']) {
    expect(readLink(link, web).href).toBe(link);
  }
});

const site = { origin: 'https://site.example', askBefore: ['/shop/buy', '/Sign-Out'] };

test.each([
  'https://other.example/',
  'http://site.example/', // another origin, without encryption
  'mailto:ann@site.example',
  'https://site.example/oauth/authorize?oauth_token=x',
  'https://site.example/account',
  'https://site.example/ACCOUNT/keys',
  'https://site.example/%61ccount/keys',
  'https://site.example//account/keys',
  'https://site.example/%2Faccount/keys',
  'https://site.example/%5Caccount/keys',
  'https://site.example/x/%2e%2e%2foauth/authorize',
  'https://site.example/x/..%2f..%2foauth/authorize',
  'https://site.example/%2561ccount',
  'https://site.example/%ff',
  'https://site.example/gantry/apps/friends/index.html',
  'https://site.example/admin/oauth/authorize',
  'https://site.example/social/rest/people/@me/@self',
  'https://site.example/reference',
  'https://site.example/shop/buy-now?book=1',
  'https://site.example/sign-out',
])('a member is asked before an app opens %s (security rule 27)', (link) => {
  expect(asksBefore(readLink(link, web), site)).toBe(true);
});

test.each([
  'https://site.example/',
  'https://site.example/accounts',
  'https://site.example/members/7?from=/oauth/authorize#/account',
  'https://site.example/shop/%C3%BCber-uns',
  'https://site.example/about/account',
])('and not before %s', (link) => {
  expect(asksBefore(readLink(link, web), site)).toBe(false);
});
