import { isTimely, type OAuthRequest, type Parameter, parseForm, parseOAuth, parseTarget } from '@gantry/oauth';
import { expect, test } from 'vitest';
import type { OAuthInput } from '../src/oauth-request.ts';

const protocol: Readonly<Record<string, string>> = {
  oauth_consumer_key: 'key',
  oauth_signature_method: 'HMAC-SHA1',
  oauth_signature: 'c2lnbmF0dXJl',
  oauth_timestamp: '1700000000',
  oauth_nonce: 'nonce',
};

function header(parameters: Readonly<Record<string, string>>): string {
  return `OAuth ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${encodeURIComponent(value)}"`)
    .join(', ')}`;
}

function without(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(protocol).filter(([known]) => known !== name));
}

interface Sent {
  readonly authorization?: string | readonly string[];
  readonly target?: string;
  readonly form?: string;
}

function parse(input: Sent): OAuthRequest {
  const { authorization = [], target = '/path', form } = input;
  return parseOAuth({
    method: 'GET',
    origin: 'http://h',
    target: parseTarget(target),
    authorization: [authorization].flat(),
    ...(form !== undefined && { form: parseForm(form) }),
  } satisfies OAuthInput);
}

const query = new URLSearchParams(protocol).toString();

test('reads the header of the RFC, without its realm (RFC 5849 §3.5.1)', () => {
  const request = parse({
    authorization:
      'OAuth realm="Example", oauth_consumer_key="0685bd9184jfhq22", oauth_token="ad180jjd733klru7", ' +
      'oauth_signature_method="HMAC-SHA1", oauth_signature="wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D", ' +
      'oauth_timestamp="137131200", oauth_nonce="4572616e48616d6d65724c61686176", oauth_version="1.0"',
  });
  expect(request).toEqual({
    consumerKey: '0685bd9184jfhq22',
    token: 'ad180jjd733klru7',
    signatureMethod: 'HMAC-SHA1',
    signature: 'wOJIO9A2W5mFwDgiDvZbTSMK/PY=',
    timestamp: 137_131_200,
    nonce: '4572616e48616d6d65724c61686176',
    bodyHash: undefined,
    requestorId: undefined,
    baseString:
      'GET&http%3A%2F%2Fh%2Fpath&oauth_consumer_key%3D0685bd9184jfhq22%26oauth_nonce%3D4572616e48616d6d65724c61686176' +
      '%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131200%26oauth_token%3Dad180jjd733klru7' +
      '%26oauth_version%3D1.0',
  });
});

test('reads the same request from header, query and form, and from all of them together (RFC 5849 §3.5)', () => {
  const expected = parse({ authorization: header(protocol) });
  expect(parse({ target: `/path?${query}` })).toEqual(expected);
  expect(parse({ form: query })).toEqual(expected);
  const { oauth_nonce = '', oauth_timestamp = '', ...rest } = protocol;
  const spread = { target: `/path?oauth_nonce=${oauth_nonce}`, form: `oauth_timestamp=${oauth_timestamp}` };
  expect(parse({ authorization: header(rest), ...spread })).toEqual(expected);
});

test.each([
  ['another case of the scheme', header(protocol).replace('OAuth', 'oauth')],
  ['a tab after the scheme', header(protocol).replace(' ', '\t')],
  ['no blanks', header(protocol).replaceAll(', ', ',')],
  ['many blanks', header(protocol).replaceAll(', ', ' \t , \t')],
  ['empty items', `${header(protocol).replaceAll(', ', ',, ,')},`],
  ['a realm with commas and quotes', header(protocol).replace(' ', String.raw` Realm="a, oauth_nonce=\"x\", \\", `)],
  ['an empty realm', header(protocol).replace(' ', ' realm="",')],
  ['encoded names', header(protocol).replaceAll('oauth_', 'oauth%5F')],
])('reads a header with %s (contract §5)', (_, authorization) => {
  expect(parse({ authorization })).toEqual(parse({ authorization: header(protocol) }));
});

test('takes + in the header for itself, not for a space (RFC 5849 §3.5.1)', () => {
  expect(parse({ authorization: header(protocol).replace('"nonce"', '"a+b"') }).nonce).toBe('a+b');
});

test.each([
  ['nothing', {}],
  ['a header of another scheme', { authorization: 'Basic a2V5OnNlY3JldA==' }],
  ['a scheme that only begins like ours', { authorization: 'OAuth2 oauth_nonce="x"' }],
  ['the scheme alone', { authorization: 'OAuth' }],
  ['a realm alone', { authorization: 'OAuth realm="x"' }],
  ['a requestor alone', { target: '/path?xoauth_requestor_id=7' }],
])('refuses a request with %s as unsigned (contract §5)', (_, input) => {
  expect(() => parse(input)).toThrow(expect.objectContaining({ status: 401, problem: 'parameter_absent' }));
});

test.each(Object.keys(protocol))('refuses a request without %s alone (contract §5)', (name) => {
  const absent = expect.objectContaining({ status: 400, problem: 'parameter_absent', message: `${name} is missing.` });
  expect(() => parse({ authorization: header(without(name)) })).toThrow(absent);
});

const signed = header(protocol);
const twice = 'oauth_nonce="nonce"';

test.each<readonly [string, Sent]>([
  ['a parameter twice in the header', { authorization: `${signed}, ${twice}` }],
  ['a parameter in header and query', { authorization: signed, target: '/path?oauth_nonce=nonce' }],
  ['a parameter in header and form', { authorization: signed, form: 'oauth_nonce=nonce' }],
  ['a parameter twice in the query', { target: `/path?${query}&oauth_nonce=nonce` }],
  ['a second signature', { authorization: signed, target: '/path?oauth_signature=x' }],
  ['an unknown OAuth parameter twice', { authorization: signed, target: '/path?oauth_x=1&oauth_x=1' }],
  ['two headers', { authorization: [signed, signed] }],
  ['two headers, one of another scheme', { authorization: [signed, 'Basic eDp5'] }],
  ['two headers joined by a comma, as fetch joins them', { authorization: `${signed}, ${signed}` }],
  ['an unquoted value', { authorization: `${signed}, oauth_x=1` }],
  ['an open quote', { authorization: `${signed}, oauth_x="1` }],
  ['an open quote after a backslash', { authorization: String.raw`${signed}, realm="\"` }],
  ['a name without value', { authorization: `${signed}, oauth_x` }],
  ['no comma between two items', { authorization: `${signed} oauth_x="1"` }],
  ['no blank or comma between two items', { authorization: `${signed}oauth_x="1"` }],
  ['a bad escape in the header', { authorization: `${signed}, oauth_x="%zz"` }],
  ['a header that is not UTF-8', { authorization: `${signed}, oauth_x="%ff"` }],
  ['a raw byte beyond ASCII in the header', { authorization: `${signed}, oauth_x="\u00e9"` }],
  ['NUL in a value', { authorization: `${signed}, oauth_token="%00"` }],
  ['a body hash on a form', { authorization: `${signed}, oauth_body_hash="x"`, form: 'a=1' }],
  ['two requestors', { authorization: `${signed}, xoauth_requestor_id="7"`, target: '/path?xoauth_requestor_id=8' }],
  [
    'two requestors in the query',
    { authorization: signed, target: '/path?xoauth_requestor_id=&xoauth_requestor_id=8' },
  ],
  ...['', '1.5', '-1', '+1', '0x10', ' 1', '1e9', '١'].map(
    (oauth_timestamp) =>
      [`the timestamp '${oauth_timestamp}'`, { authorization: header({ ...protocol, oauth_timestamp }) }] as const,
  ),
  ['an empty nonce', { authorization: header({ ...protocol, oauth_nonce: '' }) }],
  ['a nonce of 256 characters', { authorization: header({ ...protocol, oauth_nonce: 'x'.repeat(256) }) }],
])('refuses %s with 400 parameter_rejected (contract §5)', (_, input) => {
  expect(() => parse(input)).toThrow(expect.objectContaining({ status: 400, problem: 'parameter_rejected' }));
});

test.each(['1.0a', '2.0', '1', ''])('refuses the version %j (contract §5)', (oauth_version) => {
  const rejected = expect.objectContaining({ status: 400, problem: 'version_rejected' });
  expect(() => parse({ authorization: header({ ...protocol, oauth_version }) })).toThrow(rejected);
});

test.each(['PLAINTEXT', 'hmac-sha1', 'HMAC-SHA512', '', '__proto__', 'constructor', 'toString'])(
  'refuses the signature method %j (contract §5)',
  (oauth_signature_method) => {
    const rejected = expect.objectContaining({ status: 400, problem: 'signature_method_rejected' });
    expect(() => parse({ authorization: header({ ...protocol, oauth_signature_method }) })).toThrow(rejected);
  },
);

test('takes a nonce of 255 characters', () => {
  const oauth_nonce = 'x'.repeat(255);
  expect(parse({ authorization: header({ ...protocol, oauth_nonce }) }).nonce).toBe(oauth_nonce);
});

test('takes an empty token for none, and has it signed (contract §5)', () => {
  const request = parse({ authorization: header({ ...protocol, oauth_token: '' }) });
  expect(request.token).toBe('');
  expect(request.baseString).toMatch(/%26oauth_token%3D$/);
});

test('ignores unknown OAuth parameters, and has them signed (contract §5)', () => {
  const request = parse({ authorization: header({ ...protocol, oauth_x: '1' }) });
  expect(request.baseString).toMatch(/%26oauth_x%3D1$/);
});

test('takes a requestor from query and header, both signed, where they agree (contract §5)', () => {
  const authorization = `${signed}, xoauth_requestor_id="7"`;
  const request = parse({ authorization, target: '/path?xoauth_requestor_id=7' });
  expect(request.requestorId).toBe('7');
  expect(request.baseString).toMatch(/%26xoauth_requestor_id%3D7%26xoauth_requestor_id%3D7$/);
});

test('keeps parameters named like members of objects (security rule 19)', () => {
  const names: readonly Parameter[] = parseTarget('/?__proto__=1&constructor=2').query;
  const request = parse({ authorization: signed, target: '/?__proto__=1&constructor=2' });
  expect(names).toHaveLength(2);
  expect(request.baseString).toContain('&__proto__%3D1%26constructor%3D2%26oauth_');
});

test.each([
  [1_000, true],
  [1_300, true],
  [1_301, false],
  [700, true],
  [699, false],
  [Number.POSITIVE_INFINITY, false],
])('holds the timestamp %d against the clock 1000.999: %s (contract §5)', (timestamp, timely) => {
  expect(isTimely(timestamp, 1_000_999)).toBe(timely);
});

test('parameters of header, query and form together are at most 1,000 (contract §8, security rule 25)', () => {
  const parameters = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, ''] as const);
  const request = (query: number, form: number) =>
    parseOAuth({
      method: 'POST',
      origin: 'https://h',
      target: { path: '/', query: parameters(query) },
      authorization: [
        'OAuth oauth_consumer_key="k", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_nonce="n", oauth_signature="s"',
      ],
      form: parameters(form),
    });
  expect(request(400, 595).consumerKey).toBe('k');
  expect(() => request(400, 596)).toThrow('A request has at most 1000 parameters.');
});
