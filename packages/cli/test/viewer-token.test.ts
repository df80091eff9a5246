import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTokenViewer } from '../src/viewer-token.ts';

const key = Buffer.from('a key that site and Gantry share, 32+');
const site = 'https://social.example';
const nowS = 1_800_000_000;
const viewer = createTokenViewer({ key, site, now: () => nowS * 1000 });

interface Made {
  readonly header?: object;
  readonly claims?: object;
  readonly with?: Buffer;
}

/** As a page in another language makes it: two JSON texts and an HMAC. */
function token({ header = { alg: 'HS256', typ: 'JWT' }, claims = {}, with: signing = key }: Made = {}): string {
  const all = { sub: '7', aud: site, exp: nowS + 300, ...claims };
  const text = [header, all].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', signing).update(text).digest('base64url')}`;
}

function ask(headers: Record<string, string>, of = viewer): Promise<string | undefined> {
  return of(new Request(site, { headers }));
}

test('a token names the viewer, as a bearer or in the cookie (ADR 8)', async () => {
  expect(await ask({ authorization: `Bearer ${token()}` })).toBe('7');
  expect(await ask({ cookie: `a=b; __Host-gantry_viewer=${token()}` })).toBe('7');
  expect(
    await ask({
      cookie: `__Host-gantry_viewer=${token()}`,
      authorization: `bearer ${token({ claims: { sub: '8' } })}`,
    }),
  ).toBe('8');
  expect(await ask({})).toBe(undefined);
});

test('over https only the cookie that no other host can set counts', async () => {
  expect(await ask({ cookie: `gantry_viewer=${token()}` })).toBe(undefined);
  const local = createTokenViewer({ key, site: 'http://localhost:4400', now: () => nowS * 1000 });
  const cookie = `gantry_viewer=${token({ claims: { aud: 'http://localhost:4400' } })}`;
  expect(await ask({ cookie }, local)).toBe('7');
});

const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
const wrong: readonly (readonly [string, string])[] = [
  ['another key', token({ with: Buffer.alloc(32) })],
  ['another site', token({ claims: { aud: 'https://other.example' } })],
  ['no site', token({ claims: { aud: undefined } })],
  ['no member', token({ claims: { sub: undefined } })],
  ['an empty member', token({ claims: { sub: '' } })],
  ['a member that is no text', token({ claims: { sub: 7 } })],
  ['no end', token({ claims: { exp: undefined } })],
  ['an end in the past', token({ claims: { exp: nowS - 11 } })],
  ['an end beyond five minutes', token({ claims: { exp: nowS + 311 } })],
  ['a beginning in the future', token({ claims: { nbf: nowS + 60 } })],
  ['another algorithm', token({ header: { alg: 'HS512' } })],
  ['no algorithm', `${none}.${token().split('.')[1]}.`],
  ['a changed claim', token().replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"1"}').toString('base64url')}.`)],
  ['no token at all', 'x'],
];

test.each(wrong)('a token with %s is nobody', async (_, text) => {
  expect(await ask({ authorization: `Bearer ${text}` })).toBe(undefined);
  expect(await ask({ authorization: `Bearer ${text}`, cookie: `__Host-gantry_viewer=${token()}` })).toBe(undefined);
  expect(await ask({ cookie: `__Host-gantry_viewer=${token()}` })).toBe('7'); // control
});

test('a short key is refused', () => {
  expect(() => createTokenViewer({ key: key.subarray(0, 31), site })).toThrow(
    'A viewer key needs 32 or more bytes; this one has 31.',
  );
});
