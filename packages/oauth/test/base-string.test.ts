import { parseForm, parseOAuth, parseTarget, percentEncode, signRequest, verifySignature } from '@gantry/oauth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signatureBaseString } from '../src/base-string.ts';

test('builds the example of the RFC (RFC 5849 §3.4.1.1)', () => {
  const target = parseTarget('/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b');
  const text = signatureBaseString('post', `http://example.com${target.path}`, [
    ...target.query,
    ...parseForm('c2&a3=2+q'),
    ['oauth_consumer_key', '9djdj82h48djs9d2'],
    ['oauth_token', 'kkk9d7dh3k39sjv7'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131201'],
    ['oauth_nonce', '7d8f3e4a'],
  ]);
  expect(text).toBe(
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D' +
      '%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1' +
      '%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
  );
});

const consumer = { key: 'k', secret: 's' };

test.each([
  ['HTTP://EXAMPLE.COM:80/r%20v/X?id=123', 'http://example.com', '/r%20v/X?id=123'],
  ['https://www.example.net:8080/?q=1', 'https://www.example.net:8080', '/?q=1'],
  ['https://example.com:443', 'https://example.com', '/'],
  ['http://example.com?q=1', 'http://example.com', '/?q=1'],
  ['http://example.com#/x', 'http://example.com', '/'],
  ['http://[::1]:4400/a', 'http://[::1]:4400', '/a'],
])('normalizes scheme, host and port of %s (RFC 5849 §3.4.1.2)', (url, origin, target) => {
  const { authorization } = signRequest({ method: 'GET', url, consumer, timestamp: 1, nonce: 'n' });
  const sent = { method: 'GET', origin, target: parseTarget(target), authorization: [authorization] };
  expect(verifySignature(parseOAuth(sent), { method: 'HMAC-SHA1', secret: 's' })).toBe(true);
});

test.each([
  ['/a/../b', '%2Fa%2F..%2Fb'],
  ['/a//b', '%2Fa%2F%2Fb'],
  ['/%7Ea/%2f', '%2F%257Ea%2F%252f'],
  ["/it's", '%2Fit%27s'],
  ['/a:b@c', '%2Fa%3Ab%40c'],
])('keeps the path %s as on the wire (security rule 16)', (path, encoded) => {
  expect(signatureBaseString('GET', `http://h${path}`, [])).toBe(`GET&http%3A%2F%2Fh${encoded}&`);
});

test('sorts by name before value (RFC 5849 §3.4.1.3.2)', () => {
  const text = signatureBaseString('GET', 'http://h/', [
    ['a0', '4'],
    ['a', '2'],
  ]);
  expect(text).toBe('GET&http%3A%2F%2Fh%2F&a%3D2%26a0%3D4');
});

test('sorts by the encoded text, in which é comes before z (RFC 5849 §3.4.1.3.2)', () => {
  const text = signatureBaseString('GET', 'http://h/', [
    ['z', '1'],
    ['é', '1'],
    ['B', '1'],
  ]);
  expect(text).toBe('GET&http%3A%2F%2Fh%2F&%25C3%25A9%3D1%26B%3D1%26z%3D1');
});

test('keeps duplicates and sorts them by value (RFC 5849 §3.4.1.3.2)', () => {
  const text = signatureBaseString('GET', 'http://h/', [
    ['a', '2'],
    ['a', ''],
    ['a', '2'],
  ]);
  expect(text).toBe('GET&http%3A%2F%2Fh%2F&a%3D%26a%3D2%26a%3D2');
});

test('depends on no order of parameters', () => {
  const parameter = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(parameter), (parameters) => {
      const text = signatureBaseString('GET', 'http://h/', parameters);
      expect(signatureBaseString('GET', 'http://h/', parameters.toReversed())).toBe(text);
    }),
  );
});

test('refuses a URL that is not absolute', () => {
  expect(() => signRequest({ method: 'GET', url: '/path', consumer, timestamp: 1, nonce: 'n' })).toThrow(TypeError);
});

test.each([
  ['abcXYZ019-._~', 'abcXYZ019-._~'],
  ["!*'()", '%21%2A%27%28%29'],
  [' +&=%/?', '%20%2B%26%3D%25%2F%3F'],
  ['é☃😀', '%C3%A9%E2%98%83%F0%9F%98%80'],
  ['a\nb', 'a%0Ab'],
  ['', ''],
])('encodes %j (RFC 5849 §3.6)', (text, encoded) => {
  expect(percentEncode(text)).toBe(encoded);
});

test('encodes any text to unreserved characters and escapes in capitals, from which it can be read again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = percentEncode(text);
      expect(encoded).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      expect(decodeURIComponent(encoded)).toBe(text);
    }),
  );
});
