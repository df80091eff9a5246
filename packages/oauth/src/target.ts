import type { Parameter } from './base-string.ts';
import { OAuthError } from './oauth-error.ts';
import { percentDecode } from './percent-encode.ts';

/** A request target, parsed once for signature, router and handler. */
export interface Target {
  /** As on the wire, with its escapes, which are known to be valid. */
  readonly path: string;
  /** Decoded, in order, with duplicates. */
  readonly query: readonly Parameter[];
}

const beyondPrintableAscii = /[^!-~]/;

/**
 * Parses the target of an HTTP request (`/path?query`).
 *
 * @throws OAuthError 400 for a target in absolute form, with a fragment, a character that must be escaped, or a bad escape.
 */
export function parseTarget(rawTarget: string): Target {
  if (!rawTarget.startsWith('/') || rawTarget.includes('#') || beyondPrintableAscii.test(rawTarget)) {
    throw new OAuthError(400, 'parameter_rejected', 'A request target is a path and a query in printable ASCII.');
  }
  const mark = rawTarget.indexOf('?'); // a second one is data
  if (mark === -1) return { path: checkedPath(rawTarget), query: [] };
  return { path: checkedPath(rawTarget.slice(0, mark)), query: parseForm(rawTarget.slice(mark + 1)) };
}

/**
 * Parses `application/x-www-form-urlencoded` text: a query or a form body. `+` is a space, `a=b=c` is `a` with `b=c`, a name
 * alone has an empty value, and nothing between two `&` is nothing.
 *
 * @throws OAuthError 400 for a bad escape.
 * @see RFC 5849 §3.4.1.3.1
 */
export function parseForm(text: string): readonly Parameter[] {
  const parameters: Parameter[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    parameters.push(
      equals === -1 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))],
    );
  }
  return parameters;
}

function decode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

function checkedPath(path: string): string {
  percentDecode(path);
  return path;
}
