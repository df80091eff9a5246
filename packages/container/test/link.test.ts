import { expect, test } from 'vitest';
import { readLink } from '../src/chrome/link.ts';

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
