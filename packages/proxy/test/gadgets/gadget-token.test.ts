import { createSecretKey } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { createGadgetTokens } from '../../src/gadgets/gadget-token.ts';

const container = 'https://site.example';
const startMs = Date.UTC(2026, 0, 1);
const claims = { app: 'friends', viewer: '7', owner: '8', instance: 'i-1', registration: 'r' };
const keyA = { id: 'a', key: new Uint8Array(32).fill(1) };
const keyB = { id: 'b', key: new Uint8Array(32).fill(2) };

const tokens = createGadgetTokens({ keys: [keyA], container, now: () => startMs });

test('a token says who the gadget speaks for (security rule 9)', async () => {
  expect(await tokens.check(await tokens.issue(claims))).toEqual({ claims });
});

test('a token without viewer stays without viewer', async () => {
  const token = await tokens.issue({ app: 'friends', instance: 'i-1', registration: '' });
  expect(await tokens.check(token)).toEqual({ claims: { app: 'friends', instance: 'i-1', registration: '' } });
});

test('a token names algorithm, key, audience, container and times (security rule 9)', async () => {
  const [header = '', payload = ''] = (await tokens.issue(claims))
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header)).toEqual({ alg: 'HS256', kid: 'a', typ: 'gadget+jwt' });
  expect(JSON.parse(payload)).toEqual({
    ...claims,
    container: 'https://site.example',
    aud: 'https://site.example/gantry/calls',
    iat: startMs / 1000,
    exp: startMs / 1000 + 600,
  });
});

test('a token names the version that its instance runs, and the preview that it is offered', async () => {
  const versions = { version: 'a'.repeat(64), isLimited: true, preview: 'b'.repeat(64) };
  const token = await tokens.issue({ ...claims, ...versions });
  expect(await tokens.check(token)).toEqual({ claims: { ...claims, ...versions } });
  expect(token.length).toBeLessThan(1_000);
});

test('a token lives for ten minutes', async () => {
  const token = await tokens.issue(claims);
  const at = (afterMs: number) => createGadgetTokens({ keys: [keyA], container, now: () => startMs + afterMs });
  expect(await at(599_000).check(token)).toEqual({ claims });
  expect(await at(600_000).check(token)).toEqual({ refused: 'expired' });
});

test('after a rotation old tokens still count, and new ones are signed with the first key', async () => {
  const rotated = createGadgetTokens({ keys: [keyB, keyA], container, now: () => startMs });
  expect(await rotated.check(await tokens.issue(claims))).toEqual({ claims });
  expect(await tokens.check(await rotated.issue(claims))).toEqual({ refused: 'invalid' });
});

// Tokens as `issue` signs them, with one part changed. The first row is the positive control.
function forge(change: {
  alg?: string;
  kid?: string;
  typ?: string;
  key?: Uint8Array;
  aud?: string;
  container?: string;
  exp?: number | null;
}) {
  const { alg = 'HS256', kid = 'a', typ = 'gadget+jwt', key = keyA.key } = change;
  const jwt = new SignJWT({ ...claims, container: change.container ?? container })
    .setProtectedHeader({ alg, kid, typ })
    .setAudience(change.aud ?? `${container}/gantry/calls`)
    .setIssuedAt(startMs / 1000);
  if (change.exp !== null) jwt.setExpirationTime(change.exp ?? startMs / 1000 + 60);
  return jwt.sign(createSecretKey(key));
}

test.each([
  ['nothing changed', {}, { claims }],
  ['another key', { key: keyB.key }, { refused: 'invalid' }],
  ['an unknown key id', { kid: 'z' }, { refused: 'invalid' }],
  ['another algorithm', { alg: 'HS512', key: new Uint8Array(64).fill(1) }, { refused: 'invalid' }],
  ["the site's own kind of token", { typ: 'JWT' }, { refused: 'invalid' }],
  ['another audience', { aud: 'https://other.example/gantry/calls' }, { refused: 'invalid' }],
  ['another container', { container: 'https://other.example' }, { refused: 'invalid' }],
  ['no expiry', { exp: null }, { refused: 'invalid' }],
  ['expired', { exp: startMs / 1000 - 1 }, { refused: 'expired' }],
])('a token with %s is judged rightly (security rule 9)', async (_, change, result) => {
  expect(await tokens.check(await forge(change))).toEqual(result);
});

test('a token without signature, an altered one and plain text are refused (security rule 9)', async () => {
  const good = await forge({});
  const [header, payload = '', signature] = good.split('.');
  const other = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), viewer: '1' }),
  );
  const unsigned = new UnsecuredJWT({ ...claims, container })
    .setAudience(`${container}/gantry/calls`)
    .setExpirationTime('1h')
    .encode();
  const none = `${Buffer.from('{"alg":"none","kid":"a","typ":"gadget+jwt"}').toString('base64url')}.${payload}.`;
  for (const token of [
    unsigned,
    none,
    `${header}.${other.toString('base64url')}.${signature}`,
    good.slice(0, -2),
    '',
    'a.b.c',
  ]) {
    expect(await tokens.check(token)).toEqual({ refused: 'invalid' });
  }
});

test.each([
  ['Gadget tokens need at least one key.', []],
  ['The key short for gadget tokens has 31 bytes; it needs 32 or more.', [{ id: 'short', key: new Uint8Array(31) }]],
  ['The key old for gadget tokens has 0 bytes; it needs 32 or more.', [keyA, { id: 'old', key: new Uint8Array(0) }]],
  ['Every key for gadget tokens needs an id of its own.', [keyA, keyA]],
])('%s (security rule 9)', (message, keys) => {
  expect(() => createGadgetTokens({ keys, container, now: () => startMs })).toThrow(message);
});

test('keys that are changed while pages are open: old tokens hold, new ones are known everywhere (security rule 9)', async () => {
  const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
  let keys = [key('1', 1)];
  let nowMs = 1_000_000;
  const open = () =>
    createGadgetTokens({ keys, readKeys: async () => keys, container: 'https://site.example', now: () => nowMs });
  const [one, two] = [open(), open()];
  const claims = { app: 'a', viewer: '7', owner: '7', instance: 'i', registration: '' };
  const old = await one.issue(claims);
  expect(await two.check(old)).toEqual({ claims });

  keys = [key('2', 2), key('1', 1)];
  nowMs += 10_000;
  const fresh = await one.issue(claims);
  expect(JSON.parse(Buffer.from(fresh.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({ kid: '2' });
  expect(await two.check(fresh)).toEqual({ claims });
  expect(await one.check(old)).toEqual({ claims });

  keys = [key('2', 2)];
  nowMs += 10_000;
  await one.issue(claims);
  expect(await one.check(old)).toEqual({ refused: 'invalid' }); // the positive control
});
