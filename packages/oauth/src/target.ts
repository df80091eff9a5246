import type { Parameter } from './base-string.ts';
import { OAuthError } from './oauth-error.ts';
import { checkedName, countPairs, refuseTooMany } from './parameter-bounds.ts';
import { percentDecode } from './percent-encode.ts';

/** A request target, parsed once for signature, router and handler. */
export interface Target {
  /** As on the wire, with its escapes, which were checked. */
  readonly path: string;
  /** Decoded, in order, with duplicates. */
  readonly query: readonly Parameter[];
}

const beyondPrintableAscii = /[^!-~]/;

/**
 * Parses the target of an HTTP request (`/path?query`).
 *
 * @throws OAuthError 400 for a target in absolute form, with a fragment, a character that must be
 * escaped, a bad escape, or too many parameters.
 */
export function parseTarget(rawTarget: string): Target {
  if (!rawTarget.startsWith('/') || rawTarget.includes('#') || beyondPrintableAscii.test(rawTarget)) {
    throw new OAuthError(400, 'parameter_rejected', 'A request target is a path and a query in printable ASCII.');
  }
  const mark = rawTarget.indexOf('?'); // a second one is data
  const path = mark === -1 ? rawTarget : rawTarget.slice(0, mark);
  percentDecode(path); // throws for a bad escape
  return { path, query: mark === -1 ? [] : parseForm(rawTarget.slice(mark + 1)) };
}

/**
 * Parses `application/x-www-form-urlencoded` text: a query or a form body. `+` is a space, `a=b=c`
 * is `a` with `b=c`, a name alone has an empty value, and empty pairs are skipped.
 *
 * @throws OAuthError 400 for more than 1,000 parameters, a name of more than 64 characters, and a
 * bad escape.
 * @see RFC 5849 §3.4.1.3.1
 */
export function parseForm(text: string): readonly Parameter[] {
  refuseTooMany(countPairs(text)); // before any is decoded
  const parameters: Parameter[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = checkedName(decode(equals === -1 ? pair : pair.slice(0, equals)));
    parameters.push([name, equals === -1 ? '' : decode(pair.slice(equals + 1))]);
  }
  return parameters;
}

function decode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
