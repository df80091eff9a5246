import { signRequest } from '@gantry/oauth';
import type { Attack } from './heads.ts';
import type { Random } from './random.ts';

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Bodies with a valid signature, so that they reach the parser. */
export const bodies: Readonly<Record<string, (random: Random) => string | Buffer>> = {
  nothing: () => '',
  'white space': () => ' \n\t ',
  'half an object': () => '{"title":"x"',
  'something behind the object': () => '{"title":"x"}}',
  'deep arrays': () => deep('[', ']', 50_000),
  'deep objects': () => '{"a":'.repeat(50_000),
  'a deep value': () => `{"title":${deep('[', ']', 400)}}`,
  'a key twice': () => '{"title":"x","title":"y"}',
  'a key twice in other letters': () => '{"title":"x","t\\u0069tle":"y"}',
  'keys of the prototype': () => '{"__proto__":{"title":"x"},"constructor":{"prototype":{"title":"x"}}}',
  'a number beyond numbers': () => `{"title":1e999,"x":${'9'.repeat(5_000)}}`,
  'a huge text': () => `{"title":"${'x'.repeat(900_000)}"}`,
  'many keys': () => `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":"v"`).join()}}`,
  'a lone surrogate': () => '{"title":"\\ud800"}',
  'NUL in a text': () => '{"title":"a\\u0000b","k":"\\u0000"}',
  'NUL bytes': () => bytes('{"title":"a', [0], 'b"}'),
  'invalid UTF-8': () => bytes('{"title":"', [0xff, 0xfe, 0xc0, 0xaf], '"}'),
  'an overlong NUL': () => bytes('{"title":"', [0xc0, 0x80], '"}'),
  'half a character at the end': () => bytes('{"title":"x"}', [0xe2, 0x82]),
  'UTF-16': () => Buffer.from('{"title":"x"}', 'utf16le'),
  'a byte order mark': () => bytes([0xef, 0xbb, 0xbf], '{"title":"x"}'),
  'a bare word': () => 'NaN',
  'a batch of nothing': () => '[null,1,"x",[],{}]',
  'a long batch': () => `[${'{"method":"people.get"},'.repeat(20_000)}{}]`,
  'a batch of odd calls': () =>
    '[{"method":"__proto__"},{"method":"people.get","params":[]},{"method":"people.get","params":{"userId":{}}},{"method":7,"id":{}}]',
  'XML that bombs': () =>
    `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1_000)}"><!ENTITY c "${'&b;'.repeat(1_000)}">]><activity><title>&c;</title></activity>`,
  'XML that reads files': () =>
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><activity><title>&x;</title></activity>',
  'deep XML': () => '<a>'.repeat(100_000),
  'XML with endless attributes': () =>
    `<activity ${Array.from({ length: 20_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
  'random bytes': (random) => random.bytes(1 + random.below(2_000)),
};

const types = [
  'application/json',
  'application/xml',
  'application/atom+xml',
  'text/xml',
  'application/json-rpc',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'text/plain',
  '',
];
const places = [
  ['POST', '/social/rest/activities/@me/@self'],
  ['POST', '/social/rest/appdata/@me/@self/@app'],
  ['PUT', '/social/rest/appdata/@me/@self/@app'],
  ['DELETE', '/social/rest/appdata/@me/@self/@app'],
  ['POST', '/social/rpc'],
  ['POST', '/rpc'],
  ['POST', '/oauth/request_token'],
  ['POST', '/gantry/calls'],
  ['POST', '/gantry/instances'],
] as const;

/** A signed request with a hostile body, whole or in small chunks. */
export function bodyAttack(name: string, { site, random }: { readonly site: string; readonly random: Random }): Attack {
  const [method, target] = random.one(places);
  const type = random.one(types);
  const body = Buffer.from(bodies[name]?.(random) ?? '');
  const { authorization } = signRequest({
    method,
    url: site + target,
    consumer: { key: 'notes-key', secret: 'notes-secret' },
    parameters: [['xoauth_requestor_id', '1']],
    timestamp: Math.floor(Date.now() / 1000),
    nonce: crypto.randomUUID(),
  });
  const isOwnPage = target.startsWith('/gantry/');
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(site).host}`,
    'Connection: close',
    ...(isOwnPage ? ['Gantry-Container: 1', `Origin: ${site}`] : [`Authorization: ${authorization}`]),
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    random.below(4) === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n');
  const parts = head.includes('chunked')
    ? [head, ...(body.length > 0 ? [`${body.length.toString(16)}\r\n`, body, '\r\n'] : []), '0\r\n\r\n']
    : [head, body];
  // A batch may report an error for each call, an activity may come too soon, and some of these
  // texts are valid AppData.
  return {
    name: `${method} ${target} as ${type || 'nothing'}: ${name}`,
    parts,
    isSigned: !isOwnPage,
    allowed: [200, 400, 401, 403, 404, 405, 413, 415, 500],
  };
}
