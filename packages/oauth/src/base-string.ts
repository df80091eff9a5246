import { percentEncode } from './percent-encode.ts';

/** Decoded name and value. A list of them keeps duplicates, which OAuth 1.0a signs too. */
export type Parameter = readonly [name: string, value: string];

/**
 * Builds the text that an OAuth 1.0a signature covers: `METHOD&url&parameters`, each part encoded.
 *
 * @param method HTTP method in any case.
 * @param url Absolute URL. Its query and fragment are ignored; pass the query in `parameters`.
 * @param parameters Query, form body and `Authorization` pairs, without `oauth_signature` and `realm`.
 * @throws TypeError if `url` is not absolute.
 * @see RFC 5849 §3.4.1
 */
export function signatureBaseString(method: string, url: string, parameters: readonly Parameter[]): string {
  const { base, path } = splitUrl(url); // the path as on the wire: URL would resolve dots and signatures would differ
  return baseString(method, new URL(base).origin + path, parameters);
}

/** `signatureBaseString` for an address that is normalized: scheme and host in lower case, without the default port, and a path. */
export function baseString(method: string, address: string, parameters: readonly Parameter[]): string {
  const normalized = parameters
    .map(([name, value]): Parameter => [percentEncode(name), percentEncode(value)])
    .sort(([nameA, valueA], [nameB, valueB]) => byCodeUnit(nameA, nameB) || byCodeUnit(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return `${method.toUpperCase()}&${percentEncode(address)}&${percentEncode(normalized)}`;
}

/** Cuts an absolute URL where its path and its query begin, and changes nothing. */
export function splitUrl(url: string): { base: string; path: string; query: string } {
  const authority = url.indexOf('://') + 3;
  const end = url.slice(authority).search(/[/?#]/);
  if (authority === 2 || end === -1) return { base: url, path: '/', query: '' };
  const [target = ''] = url.slice(authority + end).split('#', 1);
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return { base: url.slice(0, authority + end), path: path || '/', query: mark === -1 ? '' : target.slice(mark + 1) };
}

// Not localeCompare: the order must be the same on every machine.
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
