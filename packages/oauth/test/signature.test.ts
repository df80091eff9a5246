import { createHash, createHmac, createPublicKey } from 'node:crypto';
import {
  isBodyHash,
  type OAuthRequest,
  parseForm,
  parseOAuth,
  parseTarget,
  percentEncode,
  readRsaPublicKey,
  signatureMethods,
  signRequest,
  type VerificationKey,
  verifySignature,
} from '@gantry/oauth';
import fc from 'fast-check';
import OAuth from 'oauth-1.0a';
import { expect, test } from 'vitest';
import { bodyHash } from '../src/signature.ts';
import { privateKey, publicPem } from './rsa-keys.ts';

const consumer = { key: 'key', secret: 'sécret &%' };
const key: VerificationKey = { method: 'HMAC-SHA1', secret: consumer.secret };
const publicKey = readRsaPublicKey(publicPem);
const when = { timestamp: 1_700_000_000, nonce: 'nonce' };

const rsa = { key: 'key', privateKey, signatureMethod: 'RSA-SHA1' } as const;

function receive(request: {
  method?: string;
  origin?: string;
  target: string;
  authorization: string;
  form?: string;
}): OAuthRequest {
  const { method = 'GET', origin = 'http://h:4400', target, authorization, form } = request;
  return parseOAuth({
    method,
    origin,
    target: parseTarget(target),
    authorization: [authorization],
    form: form === undefined ? undefined : parseForm(form),
  });
}

function sign(target: string): string {
  return signRequest({ method: 'GET', url: `http://h:4400${target}`, consumer, ...when }).authorization;
}

test('verifies the request of the RFC, whose printed signature its erratum 2550 corrects (RFC 5849 §3.1)', () => {
  const request = receive({
    method: 'POST',
    origin: new URL('http://EXAMPLE.COM:80').origin,
    target: '/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
    form: 'c2&a3=2+q',
    authorization:
      'OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", ' +
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", ' +
      'oauth_signature="r6%2FTJjbCOr97%2F%2BUU0NsvSne7s5g%3D"',
  });
  const rfc: VerificationKey = { method: 'HMAC-SHA1', secret: 'j49sk3j29djd', tokenSecret: 'dh893hdasih9' };
  expect(verifySignature(request, rfc)).toBe(true);
});

test.each([
  [
    'asks for temporary credentials',
    { method: 'POST', origin: 'https://photos.example.net', target: '/initiate' },
    'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="HMAC-SHA1", ' +
      'oauth_timestamp="137131200", oauth_nonce="wIjqoS", oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", ' +
      'oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"',
    '',
  ],
  [
    'asks for a token',
    { method: 'POST', origin: 'https://photos.example.net', target: '/token' },
    'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="hh5s93j4hdidpola", ' +
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="walatlh", ' +
      'oauth_verifier="hfdp7dh39dks9884", oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"',
    'hdhd0244k9j7ao03',
  ],
  [
    'asks for a photo',
    { method: 'GET', origin: 'http://photos.example.net', target: '/photos?file=vacation.jpg&size=original' },
    'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", ' +
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131202", oauth_nonce="chapoH", ' +
      'oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"',
    'pfkkdhi9sl3r4s00',
  ],
])('verifies the printer that %s (RFC 5849 §1.2)', (_, request, authorization, tokenSecret) => {
  const printer: VerificationKey = { method: 'HMAC-SHA1', secret: 'kd94hf93k423kf44', tokenSecret };
  expect(verifySignature(receive({ ...request, authorization }), printer)).toBe(true);
});

/** Text of a URL: any character escaped, unreserved ones also plain, and known trouble. */
const wireText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map(encodeURIComponent),
      fc.constantFrom(
        '+',
        '%20',
        '%2B',
        '%2b',
        '=',
        '%3D',
        '%26',
        '~',
        '%7E',
        '!',
        '*',
        '(',
        ')',
        "'",
        ':',
        '@',
        '$',
        ',',
      ),
      fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'oauth', 'xoauth_requestor_id_', '%C3%A9', '%F0%9F%98%80'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const path = fc
  .array(wireText.map((text) => `a${text}`)) // never a dot segment, which URL would resolve
  .map((segments) => `/${segments.join('/')}`);
const query = fc
  .array(
    fc.oneof(
      wireText,
      fc.tuple(wireText, wireText).map((pair) => pair.join('=')),
    ),
  )
  .filter((pairs) => pairs.every((pair) => !pair.startsWith('oauth_')))
  .map((pairs) => pairs.join('&'));

test('verifies whatever signRequest signs (security rules 12 and 16)', () => {
  fc.assert(
    fc.property(
      fc.record({
        method: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'),
        path,
        query: fc.oneof(
          query,
          query.map((text) => `${text}?${text}`),
        ),
        body: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
        requestor: fc.string({ unit: 'grapheme' }),
        nonce: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
        secret: fc.string({ unit: 'grapheme' }),
        tokenSecret: fc.string({ unit: 'grapheme' }),
        signatureMethod: fc.constantFrom(...signatureMethods),
      }),
      ({ method, path, query, body, requestor, nonce, secret, tokenSecret, signatureMethod }) => {
        fc.pre(!nonce.includes('\0'));
        fc.pre(query.split('&').every((pair) => (pair.split('=')[0] ?? '').length <= 64)); // a longer name is refused
        const target = `${path}?${query}`;
        const { authorization } = signRequest({
          method,
          url: `http://h:4400${target}`,
          consumer:
            signatureMethod === 'RSA-SHA1'
              ? { key: 'key', privateKey, signatureMethod }
              : { key: 'key', secret, signatureMethod },
          token: { key: 'token', secret: tokenSecret },
          parameters: [['xoauth_requestor_id', requestor]],
          ...(body !== undefined && { body }),
          timestamp: when.timestamp,
          nonce,
        });
        const request = receive({ method, target, authorization });
        for (const bound of signatureMethods) {
          const key: VerificationKey =
            bound === 'RSA-SHA1' ? { method: bound, publicKey } : { method: bound, secret, tokenSecret };
          expect(verifySignature(request, key)).toBe(bound === signatureMethod);
        }
        expect(verifySignature(request, undefined)).toBe(false);
        expect(request).toMatchObject({ consumerKey: 'key', token: 'token', nonce, requestorId: requestor });
        expect(request.bodyHash).toBe(body === undefined ? undefined : bodyHash(signatureMethod, body));
      },
    ),
    { numRuns: 500 },
  );
});

test('verifies the npm package as a client of its own, which sorts and encodes by itself', () => {
  const data = fc.dictionary(
    fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((name) => name !== '__proto__' && name.length <= 64 && !/^x?oauth_/.test(name)),
    fc.string({ unit: 'grapheme' }),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(data, (data) => {
      const client = npmSigner();
      const authorization = client.toHeader(
        client.authorize({ method: 'POST', url: 'http://h:4400/path', data: { ...data } }),
      ).Authorization;
      const form = Object.entries(data)
        .map((pair) => pair.map(percentEncode).join('='))
        .join('&');
      expect(verifySignature(receive({ method: 'POST', target: '/path', authorization, form }), key)).toBe(true);
      expect(verifySignature(receive({ method: 'POST', target: `/path?${form}`, authorization }), key)).toBe(true);
    }),
  );
});

test.each([
  ['the method', { method: 'POST' }],
  ['the host', { origin: 'http://evil:4400' }],
  ['the port', { origin: 'http://h' }],
  ['the scheme', { origin: 'https://h:4400' }],
  ['the path', { target: '/Path?a=1' }],
  ['an escape of the path', { target: '/p%61th?a=1' }],
  ['a value', { target: '/path?a=2' }],
  ['a name', { target: '/path?b=1' }],
  ['the number of parameters', { target: '/path?a=1&a=1' }],
  ['the query to none', { target: '/path' }],
  ['the body to a form', { form: 'b=1' }],
  ['the key', { authorization: sign('/path?a=1').replace('"key"', '"kez"') }],
  ['the nonce', { authorization: sign('/path?a=1').replace('"nonce"', '"noncf"') }],
  ['the timestamp', { authorization: sign('/path?a=1').replace('1700000000', '1700000001') }],
  ['the version to none', { authorization: sign('/path?a=1').replace(', oauth_version="1.0"', '') }],
  ['no token to an empty one', { authorization: `${sign('/path?a=1')}, oauth_token=""` }],
])('refuses a request in which another hand changed %s (security rule 16)', (_, altered) => {
  const original = { target: '/path?a=1', authorization: sign('/path?a=1') };
  expect(verifySignature(receive(original), key)).toBe(true); // positive control
  expect(verifySignature(receive({ ...original, ...altered }), key)).toBe(false);
});

test.each([
  ['empty', () => ''],
  ['of another length', (signature: string) => signature.slice(4)],
  ['without its padding', (signature: string) => signature.slice(0, -1)],
  ['with a stray character', (signature: string) => `${signature}!`],
  ['with stray characters of a whole group', (signature: string) => `!!!!${signature}`],
  ['in base64url', (signature: string) => signature.replaceAll('+', '-').replaceAll('/', '_').replace('=', '_')],
  ['that is not base64', () => '!'.repeat(28)],
  ['beyond ASCII', () => 'é'.repeat(28)],
  ['of 20 zeros', () => Buffer.alloc(20).toString('base64')],
])('takes a signature %s for wrong, without an error', (_, alter) => {
  const request = receive({ target: '/path', authorization: sign('/path') });
  expect(verifySignature({ ...request, signature: alter(request.signature) }, key)).toBe(false);
});

test('refuses another secret, another token secret and an unknown consumer (contract §5)', () => {
  const request = receive({ target: '/path', authorization: sign('/path') });
  expect(verifySignature(request, { ...key, secret: 'other' })).toBe(false);
  expect(verifySignature(request, { ...key, tokenSecret: 'other' })).toBe(false);
  expect(verifySignature(request, undefined)).toBe(false);
});

test('refuses for an unknown consumer even what was signed with an empty secret', () => {
  const request = receive({ target: '/path', authorization: sign('/path') });
  const signature = createHmac('sha1', '&').update(request.baseString).digest('base64');
  expect(verifySignature({ ...request, signature }, { method: 'HMAC-SHA1', secret: '' })).toBe(true); // positive control
  expect(verifySignature({ ...request, signature }, undefined)).toBe(false);
});

test('refuses a method other than the consumer’s, though the signature fits (security rule 16)', () => {
  const request = receive({ target: '/path', authorization: sign('/path') });
  expect(verifySignature(request, key)).toBe(true); // positive control
  expect(verifySignature({ ...request, signatureMethod: 'HMAC-SHA256' }, key)).toBe(false);
  expect(verifySignature({ ...request, signatureMethod: 'RSA-SHA1' }, key)).toBe(false);
  expect(verifySignature(request, { ...key, method: 'HMAC-SHA256' })).toBe(false);
});

test('never takes the public key of an RSA consumer for the secret of an HMAC (security rule 16)', () => {
  const { authorization } = signRequest({
    method: 'GET',
    url: 'http://h:4400/path',
    consumer: { key: 'key', secret: publicPem },
    ...when,
  });
  const request = receive({ target: '/path', authorization });
  expect(verifySignature(request, { method: 'HMAC-SHA1', secret: publicPem })).toBe(true); // a naive server would do this
  expect(verifySignature(request, { method: 'RSA-SHA1', publicKey })).toBe(false);
});

test('verifies RSA-SHA1 as the OAuth test cases print it (oauth.net TestCases; RFC 5849 §3.4.3)', () => {
  const request = receive({
    origin: 'http://photos.example.net',
    target: '/photos?file=vacaction.jpg&size=original',
    authorization:
      'OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="RSA-SHA1", ' +
      'oauth_timestamp="1196666512", oauth_nonce="13917289812797014437", oauth_version="1.0", oauth_signature="' +
      'jvTp%2FwX1TYtByB1m%2BPbyo0lnCOLIsyGCH7wke8AUs3BpnwZJtAuEJkvQL2%2F9n4s5wUmUl4aCI4BwpraNx4RtEXMe5qg5T1LVTGliMRpKas' +
      'KsW%2F%2Fe%2BRinhejgCuzoH26dyF8iY2ZZ%2F5D1ilgeijhV%2FvBka5twt399mXwaYdCwFYE%3D"',
  });
  // That key has 1,024 bits, so no consumer could register it.
  const printed = createPublicKey(
    '-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC0YjCwIfYoprq/FQO6lb3asXrx\n' +
      'LlJFuCvtinTF5p0GxvQGu5O3gYytUvtC2JlYzypSRjVxwxrsuRcP3e641SdASwfr\n' +
      'mzyvIgP08N4S0IFzEURkV1wp/IpH7kH41EtbmUmrXSwfNZsnQRE5SYSOhh+LcK2w\nyQkdgcMv11l4KoBkcwIDAQAB\n' +
      '-----END PUBLIC KEY-----\n',
  );
  const modulus = Buffer.from(printed.export({ format: 'jwk' }).n ?? '', 'base64url');
  expect(verifySignature(request, { method: 'RSA-SHA1', publicKey: { key: printed, modulus, pem: '' } })).toBe(true);
  expect(verifySignature(request, { method: 'RSA-SHA1', publicKey })).toBe(false);
});

test.each([
  ['empty', () => ''],
  ['of another length', (signature: string) => signature.slice(4)],
  ['without its padding', (signature: string) => signature.replaceAll('=', '')],
  ['with a stray character', (signature: string) => `!${signature}`],
  ['in base64url', (signature: string) => signature.replaceAll('+', '-').replaceAll('/', '_')],
  ['beyond the modulus', () => Buffer.alloc(256, 255).toString('base64')],
  ['of zeros', () => Buffer.alloc(256).toString('base64')],
])('takes an RSA signature %s for wrong, without an error', (_, alter) => {
  // This nonce gives a signature in which base64url differs.
  const options = { method: 'GET', url: 'http://h:4400/path', consumer: rsa, ...when } as const;
  const request = receive({ target: '/path', authorization: signRequest(options).authorization });
  expect(request.signature).toMatch(/[+/]/);
  expect(verifySignature(request, { method: 'RSA-SHA1', publicKey })).toBe(true); // positive control
  const altered = { ...request, signature: alter(request.signature) };
  expect(verifySignature(altered, { method: 'RSA-SHA1', publicKey })).toBe(false);
});

test('accepts the body hash of the method, and SHA-1 beside HMAC-SHA256 (contract §5)', () => {
  const sha1 = 'Lve95gjOVATpfV8EL5X4nxwjKHE=';
  const sha256 = 'f4OxZX/x/FO5LcGBSKHWXfwtSx+j1ncoSt3SABJtkGk=';
  expect(bodyHash('HMAC-SHA256', 'Hello World!')).toBe(sha256);
  expect(bodyHash('RSA-SHA1', 'Hello World!')).toBe(sha1);
  expect(isBodyHash(sha256, 'HMAC-SHA256', 'Hello World!')).toBe(true);
  expect(isBodyHash(sha1, 'HMAC-SHA256', 'Hello World!')).toBe(true);
  expect(isBodyHash(sha1, 'HMAC-SHA1', 'Hello World!')).toBe(true);
  expect(isBodyHash(sha256, 'HMAC-SHA1', 'Hello World!')).toBe(false);
  expect(isBodyHash(sha256, 'RSA-SHA1', 'Hello World!')).toBe(false);
  expect(isBodyHash(sha1, 'HMAC-SHA256', 'Hello World?')).toBe(false);
});

test('hashes a body as text and as bytes (oauth_body_hash)', () => {
  expect(bodyHash('HMAC-SHA1', 'Hello World!')).toBe('Lve95gjOVATpfV8EL5X4nxwjKHE=');
  expect(bodyHash('HMAC-SHA1', Buffer.from('Hello World!'))).toBe('Lve95gjOVATpfV8EL5X4nxwjKHE=');
  expect(bodyHash('HMAC-SHA1', '')).toBe(createHash('sha1').digest('base64'));
});

// The npm package signs here and does not verify (security rule 16), because it would accept each
// second target with the signature of the first.
const mistaken = [
  ['a value with =', '/path?a=b=c', '/path?a=b=evil'],
  ['a plus sign', '/path?a=1+2', '/path?a=1%2B2'],
  ['__proto__', '/path?a=1&__proto__=2', '/path?a=1&0=%5Bobject%20Object%5D&1=2'],
  ['a second question mark', '/path?a=1?b=2', '/path?a=1?b=evil'],
] as const;

test.each(mistaken)('tells targets apart by %s', (_, target, altered) => {
  const authorization = sign(target);
  expect(verifySignature(receive({ target, authorization }), key)).toBe(true);
  expect(verifySignature(receive({ target: altered, authorization }), key)).toBe(false);
});

test.each(mistaken)('positive control: the npm package alone does not tell them apart by %s', (_, target, altered) => {
  expect(npmSignature(altered)).toBe(npmSignature(target));
});

test('answers a bad escape with 400, where the npm package throws', () => {
  expect(() => parseTarget('/path?a=%zz')).toThrow(expect.objectContaining({ status: 400 }));
  expect(() => npmSignature('/path?a=%zz')).toThrow(URIError);
});

test.each(['/a/../b', '/a/./b', '/a\\b', '/a b', '/é', '/a"b', '/%2e%2e/b'])(
  'refuses to sign the path %s, which would be sent as another (security rule 12)',
  (target) => {
    expect(() => sign(target)).toThrow(TypeError);
  },
);

test('writes a header that holds no secret (security rule 8)', () => {
  const { authorization } = signRequest({
    method: 'POST',
    url: 'https://h/path?a=1',
    consumer,
    parameters: [['xoauth_requestor_id', '7:a']],
    body: 'Hello World!',
    ...when,
  });
  expect(authorization.replace(/oauth_signature="[^"]+"/, 'oauth_signature="…"')).toBe(
    'OAuth oauth_body_hash="Lve95gjOVATpfV8EL5X4nxwjKHE%3D", oauth_consumer_key="key", oauth_nonce="nonce", ' +
      'oauth_signature="…", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", oauth_version="1.0", ' +
      'xoauth_requestor_id="7%3Aa"',
  );
});

function npmSigner(): OAuth {
  const signer = new OAuth({
    consumer,
    signature_method: 'HMAC-SHA1',
    hash_function: (baseString, secret) => createHmac('sha1', secret).update(baseString).digest('base64'),
  });
  signer.getNonce = () => when.nonce;
  signer.getTimeStamp = () => when.timestamp;
  return signer;
}

function npmSignature(target: string): string {
  return npmSigner().authorize({ method: 'GET', url: `http://h:4400${target}` }).oauth_signature;
}
