import { parseForm, parseOAuth, parseTarget } from '@gantry/oauth';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { parseAuthorization } from '../src/authorization.ts';
import { type Parameter, signatureBaseString } from '../src/base-string.ts';

function refused(work: () => unknown): () => unknown {
  return () => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
}

const pairs = (count: number): Parameter[] =>
  Array.from({ length: count }, (_, i) => [`n${(i * 7_919) % 10_007}`, 'é']);
const form = (count: number): string =>
  pairs(count)
    .map(([name]) => `${name}=%C3%A9+x`)
    .join('&');
const protocol =
  'oauth_consumer_key="k", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_nonce="n", oauth_signature="s"';

function signed(extra: readonly Parameter[]): () => unknown {
  const target = { path: '/', query: [] };
  const input = { method: 'GET', origin: 'http://h', target, authorization: [`OAuth ${protocol}`], form: extra };
  return refused(() => parseOAuth(input));
}

test.each<[string, number, (size: number) => () => unknown]>([
  [
    'a form',
    100,
    (size) => {
      const text = form(size);
      return refused(() => parseForm(text));
    },
  ],
  [
    'a form beyond the bound',
    5_000,
    (size) => {
      const text = form(size);
      return refused(() => parseForm(text));
    },
  ],
  ['a query of separators', 5_000, (size) => refused(() => parseTarget(`/?${'&'.repeat(size)}`))],
  [
    'a value of escapes',
    5_000,
    (size) => {
      const text = `a=${'%25'.repeat(size)}`;
      return refused(() => parseForm(text));
    },
  ],
  [
    'a name of escapes',
    5_000,
    (size) => {
      const text = '%25'.repeat(size);
      return refused(() => parseForm(text));
    },
  ],
  ['a path of dots and escapes', 2_000, (size) => refused(() => parseTarget(`/${'../%2e'.repeat(size)}`))],
  [
    'a header of many parameters',
    100,
    (size) => {
      const text = `OAuth ${form(size).replaceAll(/(\w+)=[^&]*&?/g, '$1="x",')}`;
      return refused(() => parseAuthorization(text));
    },
  ],
  [
    'a header of backslashes',
    2_000,
    (size) => refused(() => parseAuthorization(`OAuth realm="${'\\"'.repeat(size)}"`)),
  ],
  ['a header of commas', 2_000, (size) => refused(() => parseAuthorization(`OAuth ${','.repeat(size)}`))],
  ['a header without quotes', 2_000, (size) => refused(() => parseAuthorization(`OAuth ${'a='.repeat(size)}`))],
  [
    'what a signature covers',
    100,
    (size) => {
      const all = pairs(size);
      return () => signatureBaseString('GET', 'http://h/', all);
    },
  ],
  ['parameters of a request', 100, (size) => signed(pairs(size))],
  ['parameters beyond the bound', 1_200, (size) => signed(pairs(size))],
])('%s: the cost grows no faster than the input (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: comparing each parameter with all others grows with the square (security rule 25)', async () => {
  const compared = (size: number) => {
    const all = pairs(size).map(([name]) => `${name}!`);
    return () => all.filter((name, index) => all.indexOf(name.slice(0, -1)) === index);
  };
  expect(await growth(200, compared)).toBeGreaterThan(mostGrowth);
});
