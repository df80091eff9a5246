import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTokenViewer } from '../../src/members/viewer-token.ts';

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

async function ask(headers: Record<string, string>, of = viewer): Promise<string | undefined> {
  return (await of(new Request(site, { headers })))?.id;
}

test('a token was signed at its iat; without one, five minutes before its end at the earliest (ADR 76)', async () => {
  const signedAt = async (claims: object) =>
    (await viewer(new Request(site, { headers: { authorization: `Bearer ${token({ claims })}` } })))?.signedAtMs;
  expect(await signedAt({ iat: nowS - 20 })).toBe((nowS - 20) * 1000);
  expect(await signedAt({ exp: nowS + 60 })).toBe((nowS - 240) * 1000);
});

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

test('sites on two ports of one host do not overwrite each other’s cookie', async () => {
  const siteOn = (port: number) => `http://localhost:${port}`;
  const cookie = [4400, 4500]
    .map((port) => `gantry_viewer_${port}=${token({ claims: { sub: String(port), aud: siteOn(port) } })}`)
    .join('; ');
  for (const port of [4400, 4500]) {
    const local = createTokenViewer({ key, site: siteOn(port), now: () => nowS * 1000 });
    expect(await ask({ cookie }, local)).toBe(String(port));
  }
});

const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
const wrong: readonly (readonly [what: string, text: string, reason: string])[] = [
  ['another key', token({ with: Buffer.alloc(32) }), 'signature'],
  ['another site', token({ claims: { aud: 'https://other.example' } }), 'audience'],
  ['no site', token({ claims: { aud: undefined } }), 'audience'],
  ['no member', token({ claims: { sub: undefined } }), 'claim missing or wrong'],
  ['an empty member', token({ claims: { sub: '' } }), 'claim missing or wrong'],
  ['a member that is no text', token({ claims: { sub: 7 } }), 'claim missing or wrong'],
  ['no end', token({ claims: { exp: undefined } }), 'claim missing or wrong'],
  ['an end in the past', token({ claims: { exp: nowS - 11 } }), 'expired'],
  ['an end beyond five minutes', token({ claims: { exp: nowS + 311 } }), 'valid for too long'],
  ['a beginning in the future', token({ claims: { nbf: nowS + 60 } }), 'not valid yet'],
  ['another algorithm', token({ header: { alg: 'HS512' } }), 'algorithm'],
  ['no algorithm', `${none}.${token().split('.')[1]}.`, 'algorithm'],
  [
    'a changed claim',
    token().replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"1"}').toString('base64url')}.`),
    'signature',
  ],
  ['no token at all', 'x', 'malformed'],
];

test.each(wrong)('a token with %s is nobody, and the log says why without a word of it', async (_, text, reason) => {
  const lines: string[] = [];
  const log = { warn: (...line: unknown[]) => lines.push(JSON.stringify(line)) };
  const heard = createTokenViewer({ key, site, now: () => nowS * 1000, log });
  expect(await ask({ authorization: `Bearer ${text}` }, heard)).toBe(undefined);
  expect(await ask({ authorization: `Bearer ${text}`, cookie: `__Host-gantry_viewer=${token()}` }, heard)).toBe(
    undefined,
  );
  expect(await ask({ cookie: `__Host-gantry_viewer=${token()}` }, heard)).toBe('7'); // control
  const line = `A viewer token was refused: ${reason}. Its sender is treated as signed out.`;
  expect(lines).toEqual([JSON.stringify([{ reason }, line])]);
});

test('refused tokens without end are one line a minute for each reason (security rule 25)', async () => {
  let nowMs = nowS * 1000;
  const reasons: string[] = [];
  const log = { warn: ({ reason }: { reason: string }) => reasons.push(reason) };
  const heard = createTokenViewer({ key, site, now: () => nowMs, log });
  const forged = { authorization: `Bearer ${token({ with: Buffer.alloc(32) })}` };
  for (let i = 0; i < 100; i++) await ask(forged, heard);
  await ask({ authorization: 'Bearer x' }, heard);
  nowMs += 60_000;
  await ask(forged, heard);
  expect(reasons).toEqual(['signature', 'malformed', 'signature']);
});

test('a short key is refused', () => {
  expect(() => createTokenViewer({ key: key.subarray(0, 31), site })).toThrow(
    'A viewer key needs 32 or more bytes; this one has 31.',
  );
});
