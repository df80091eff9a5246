import type { Random } from './random.ts';

/** Bytes for one connection, and the permitted responses. */
export interface Attack {
  readonly name: string;
  /** Written in this order, with a turn of the event loop between. */
  readonly parts: readonly (string | Buffer)[];
  /** Client's behaviour after writing: wait, close its half, or disconnect. Default `wait`. */
  readonly ending?: 'wait' | 'half-close' | 'leave';
  /**
   * Permitted statuses. Absent: any refusal. `none` is a connection that closes without a response.
   */
  readonly allowed?: readonly (number | 'none')[];
  /** True if the signature is valid, so that the body is parsed. */
  readonly isSigned?: boolean;
}

/** One target in every part of the server. */
export const targets = [
  '/social/rest/people/@me/@self',
  '/social/rest/people/@me/@friends?count=5',
  '/social/rest/appdata/@me/@self/@app',
  '/social/rest/activities/@me/@self',
  '/social/rest/albums/@me/@self',
  '/social/rest/mediaItems/@me/@self/1',
  '/social/rpc',
  '/rpc',
  '/oauth/request_token',
  '/oauth/authorize',
  '/oauth/access_token',
  '/admin/oauth/request_token',
  '/gantry/calls',
  '/gantry/instances',
  '/gantry/osapi.js',
  '/gantry/apps/notes/index.html',
  '/gantry/media/0123456789abcdef0123456789abcdef',
  '/gantry/admin/records',
  '/metrics',
  '/openapi.json',
  '/opensocial/certificates',
  '/nothing/here',
  '/',
];

const post = (target: string, headers: string, body: string) => `POST ${target} HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
const get = (target: string, headers: string) => `GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`;
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n';

type Shape = (target: string, host: string, random: Random) => Omit<Attack, 'name'>;

const refused = [400, 'none'] as const;
/** A target's possible statuses for an unusual but valid request. */
const answered = [200, 302, 303, 307, 400, 401, 403, 404, 405, 415] as const;

/** Requests that are wrong before their body is read. */
export const heads: Readonly<Record<string, Shape>> = {
  'two Host headers': (target, host) => ({
    parts: [get(target, `Host: ${host}\r\nHost: evil.example`)],
    allowed: [400],
  }),
  'no Host header': (target) => ({ parts: [get(target, 'Accept: */*')], allowed: [400] }),
  'an empty Host header': (target) => ({ parts: [get(target, 'Host:')] }),
  'a Host of nonsense': (target) => ({ parts: [get(target, 'Host: a b/c@d:99999')] }),
  'a foreign Host': (target) => ({ parts: [get(target, 'Host: evil.example')] }),
  'an absolute target': (target, host) => ({
    parts: [get(`http://${host}${target}`, `Host: ${host}`)],
    allowed: [400],
  }),
  'another absolute target': (target, host) => ({
    parts: [get(`http://evil.example${target}`, `Host: ${host}`)],
    allowed: [400],
  }),
  'an authority as target': (_, host) => ({
    parts: [`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    allowed: refused,
  }),
  'an asterisk as target': (_, host) => ({ parts: [`OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`], allowed: [400] }),
  'two lengths': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 4\r\nContent-Length: 5`, `abcd${smuggled}`)],
    allowed: refused,
  }),
  'two equal lengths': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 4\r\nContent-Length: 4`, `abcd${smuggled}`)],
    allowed: refused,
  }),
  'length and chunks': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${smuggled}`)],
    allowed: refused,
  }),
  'chunks and length': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4`, `0\r\n\r\n${smuggled}`)],
    allowed: refused,
  }),
  'chunks under another name': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: xchunked`, `0\r\n\r\n${smuggled}`)],
  }),
  'chunks twice': (target, host) => ({
    parts: [
      post(
        target,
        `Host: ${host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity`,
        `0\r\n\r\n${smuggled}`,
      ),
    ],
  }),
  'a space before the colon': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding : chunked`, `0\r\n\r\n${smuggled}`)],
    allowed: refused,
  }),
  'a folded header': (target, host) => ({
    parts: [get(target, `Host: ${host}\r\nX-Folded: a\r\n b`)],
    allowed: refused,
  }),
  'bare line feeds': (target, host) => ({ parts: [`GET ${target} HTTP/1.1\nHost: ${host}\n\n`], allowed: refused }),
  'a bare carriage return': (target, host) => ({ parts: [get(target, `Host: ${host}\r\nX: a\rb`)], allowed: refused }),
  'a negative length': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: -1`, '')],
    allowed: refused,
  }),
  'a length with a sign': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: +4`, 'abcd')],
    allowed: refused,
  }),
  'a length beyond numbers': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 99999999999999999999999`, 'abcd')],
    allowed: refused,
  }),
  'a length in hexadecimal': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 0x4`, 'abcd')],
    allowed: refused,
  }),
  'an announced gigabyte': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1073741824`, '{')],
    allowed: [413, 404],
  }),
  'a chunk of nonsense size': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked`, 'zz\r\nabc\r\n0\r\n\r\n')],
    allowed: refused,
  }),
  'a chunk that is too long for itself': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked`, '3\r\nabcdef\r\n0\r\n\r\n')],
    allowed: refused,
  }),
  'a chunk of 2^64 bytes': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked`, 'ffffffffffffffff0\r\nabc')],
    allowed: refused,
  }),
  'chunk extensions': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked`, '1;a=b;c="d"\r\n{\r\n0\r\n\r\n')],
    allowed: answered,
  }),
  'endless chunk extensions': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nTransfer-Encoding: chunked`, `1;${'x'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`)],
    allowed: [413, 400, 'none'],
  }),
  'trailers that name a header': (target, host) => ({
    parts: [
      post(
        target,
        `Host: ${host}\r\nTransfer-Encoding: chunked`,
        '1\r\n{\r\n0\r\nHost: evil.example\r\nAuthorization: x\r\n\r\n',
      ),
    ],
  }),
  'giant headers': (target, host) => ({
    parts: [get(target, `Host: ${host}\r\nX: ${'x'.repeat(40_000)}`)],
    allowed: [431, 'none'],
  }),
  'a giant target': (target, host) => ({
    parts: [get(`${target}${'/x'.repeat(20_000)}`, `Host: ${host}`)],
    allowed: [431, 'none'],
  }),
  'too many headers': (target, host) => ({
    parts: [get(target, `Host: ${host}${Array.from({ length: 300 }, (_, index) => `\r\nX${index}: 1`).join('')}`)],
    allowed: [431],
  }),
  'the Host behind too many headers': (target, host) => ({
    parts: [get(target, `${Array.from({ length: 150 }, (_, index) => `X${index}: 1`).join('\r\n')}\r\nHost: ${host}`)],
    allowed: [431],
  }),
  'NUL in a header': (target, host) => ({ parts: [get(target, `Host: ${host}\r\nX: a\0b`)], allowed: refused }),
  'NUL in the target': (target, host) => ({ parts: [get(`${target}\0`, `Host: ${host}`)], allowed: refused }),
  'bytes above ASCII in the target': (target, host) => ({
    parts: [Buffer.from(get(`${target}\xff\xc0\xaf`, `Host: ${host}`), 'latin1')],
    allowed: refused,
  }),
  'an overlong encoding of a slash': (target, host) => ({
    parts: [get(`${target}/..%c0%af..%c0%afetc`, `Host: ${host}`)],
  }),
  'bad percent escapes': (target, host, random) => ({
    parts: [
      get(`${target}/${random.one(['%', '%z', '%zz', '%2', '%%', '%u0041', '%ff', '%ed%a0%80'])}`, `Host: ${host}`),
    ],
  }),
  'bad percent escapes in the query': (target, host, random) => ({
    parts: [
      get(
        `${target}${target.includes('?') ? '&' : '?'}a=${random.one(['%', '%z', '%zz', '%ff', '%ed%a0%80', '%00'])}`,
        `Host: ${host}`,
      ),
    ],
    allowed: answered,
  }),
  'dot segments': (target, host, random) => ({
    parts: [get(`${target}${random.one(['/../../x', '/./x', '/%2e%2e/x', '/..;/x', '\\..\\x'])}`, `Host: ${host}`)],
  }),
  'a fragment': (target, host) => ({ parts: [get(`${target}#x`, `Host: ${host}`)], allowed: [400] }),
  'HTTP/0.9': (target) => ({ parts: [`GET ${target}\r\n`], allowed: refused, ending: 'half-close' }),
  'HTTP/2.0': (target, host) => ({ parts: [`GET ${target} HTTP/2.0\r\nHost: ${host}\r\n\r\n`], allowed: refused }),
  'HTTP/9.9': (target, host) => ({ parts: [`GET ${target} HTTP/9.9\r\nHost: ${host}\r\n\r\n`], allowed: refused }),
  'the preface of HTTP/2': () => ({ parts: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], allowed: refused }),
  'HTTP/1.0 without Host': (target) => ({ parts: [`GET ${target} HTTP/1.0\r\n\r\n`], allowed: [400] }),
  'a TLS hello': () => ({
    parts: [Buffer.from('16030100f8010000f40303', 'hex')],
    allowed: refused,
    ending: 'half-close',
  }),
  'an unknown method': (target, host) => ({
    parts: [`STEAL ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    allowed: refused,
  }),
  'a method in lower case': (target, host) => ({
    parts: [`get ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    allowed: refused,
  }),
  'a rare method': (target, host, random) => ({
    parts: [
      `${random.one(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS', 'LINK', 'M-SEARCH', 'DELETE', 'PUT', 'QUERY'])} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ],
  }),
  'a method override': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nX-HTTP-Method-Override: DELETE\r\nContent-Length: 0`, '')],
  }),
  'an upgrade': (target, host) => ({
    parts: [
      get(
        target,
        `Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==`,
      ),
    ],
    allowed: answered,
  }),
  'an upgrade to h2c': (target, host) => ({
    parts: [
      get(
        target,
        `Host: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__`,
      ),
    ],
    allowed: answered,
  }),
  'an expectation': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nExpect: teapot\r\nContent-Length: 2`, '{}')],
    allowed: [400],
  }),
  'a body that never follows an expectation': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nExpect: 100-continue\r\nContent-Length: 20`, '')],
    allowed: [100, 400, 401, 403, 404, 405, 408, 415],
  }),
  'headers that never end': (target, host) => ({
    parts: [`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`, 'X-Slow: '],
    allowed: [408],
  }),
  'a request line that never ends': (target) => ({ parts: ['GET ', target], allowed: [408] }),
  'a body that never ends': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100`, '{"a":'), '"b'],
    allowed: [408, 404, 403],
  }),
  'a client that closes its half in the headers': (target, host) => ({
    parts: [`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX`],
    ending: 'half-close',
    allowed: [400, 408, 'none'],
  }),
  'a client that closes its half in the body': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 100`, 'abc')],
    ending: 'half-close',
  }),
  'a client that leaves in the headers': (target, host) => ({
    parts: [`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`],
    ending: 'leave',
    allowed: ['none'],
  }),
  'a client that leaves in the body': (target, host) => ({
    parts: [post(target, `Host: ${host}\r\nContent-Length: 100000`, 'abc')],
    ending: 'leave',
    allowed: ['none'],
  }),
  'a client that leaves before its answer': (target, host) => ({
    parts: [get(target, `Host: ${host}`)],
    ending: 'leave',
    allowed: ['none'],
  }),
  'a line of requests': (target, host) => ({
    parts: [get(target, `Host: ${host}`).repeat(20) + get(target, `Host: ${host}\r\nConnection: close`)],
    allowed: answered,
  }),
  'a good request before a bad one': (target, host) => ({
    parts: [`${get('/healthz', `Host: ${host}`)}BAD\r\n\r\n${get(target, `Host: ${host}`)}`],
    allowed: [200],
  }),
  'empty lines without end': () => ({
    parts: ['\r\n'.repeat(30_000)],
    ending: 'half-close',
    allowed: [400, 431, 408, 'none'],
  }),
  'random bytes': (_, _host, random) => ({ parts: [random.bytes(1 + random.below(3_000))], ending: 'half-close' }),
  'a request with random damage': (target, host, random) => {
    const bytes = Buffer.from(
      post(target, `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2`, '{}'),
    );
    for (let i = 0; i <= random.below(6); i++) bytes[random.below(bytes.length)] = random.below(256);
    return {
      parts: [bytes],
      ending: 'half-close',
      allowed: [200, 204, 302, 303, 307, 400, 401, 403, 404, 405, 408, 413, 415, 421, 431, 'none'],
    };
  },
};
