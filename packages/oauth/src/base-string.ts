import { percentEncode } from './percent-encode.ts';

/** Decoded name and value. A list of them keeps duplicates, which OAuth 1.0a signs too. */
export type Parameter = readonly [name: string, value: string];

/**
 * Builds the text that a signature covers: `METHOD&address&parameters`, each part encoded.
 *
 * @param method HTTP method in any case.
 * @param address `URL.origin`, and the path as on the wire: `URL` would resolve its dots.
 * @param parameters Query, form and `Authorization` pairs, without `oauth_signature` and `realm`.
 * @see RFC 5849 §3.4.1
 */
export function signatureBaseString(method: string, address: string, parameters: readonly Parameter[]): string {
  // `name=value&…`, then encoded as a whole: all that it changes in an encoded part is `%`.
  const normalized = parameters
    .map(([name, value]): Parameter => [percentEncode(name), percentEncode(value)])
    .sort(([nameA, valueA], [nameB, valueB]) => byCodeUnit(nameA, nameB) || byCodeUnit(valueA, valueB))
    .map(([name, value]) => `${encodeAgain(name)}%3D${encodeAgain(value)}`)
    .join('%26');
  return `${method.toUpperCase()}&${percentEncode(address)}&${normalized}`;
}

function encodeAgain(encoded: string): string {
  return encoded.includes('%') ? encoded.replaceAll('%', '%25') : encoded;
}

/** Cuts path and query out of an absolute URL, and changes nothing in them. */
export function splitUrl(url: string): { path: string; query: string } {
  const authority = url.indexOf('://') + 3;
  const end = url.slice(authority).search(/[/?#]/);
  if (authority === 2 || end === -1) return { path: '/', query: '' };
  const [target = ''] = url.slice(authority + end).split('#', 1);
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return { path: path || '/', query: mark === -1 ? '' : target.slice(mark + 1) };
}

// Not localeCompare: the order must be the same on every machine.
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
