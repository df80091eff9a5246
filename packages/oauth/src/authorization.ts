import type { Parameter } from './base-string.ts';
import { OAuthError } from './oauth-error.ts';
import { checkedName } from './parameter-bounds.ts';
import { percentDecode } from './percent-encode.ts';

const scheme = /^oauth(?:[ \t]|$)/i;
const beyondPrintableAscii = /[^\t -~]/;
const parameterName = /^[\w.~%-]+$/;
const realm = /^realm$/i;

/**
 * Parses `OAuth name="value", …`. The scheme may be in any case; `realm` is left out, since it is
 * not signed. A header of another scheme has no OAuth parameters.
 *
 * @throws OAuthError 400 if it is malformed, or has a name of more than 64 characters.
 * @see RFC 5849 §3.5.1
 */
export function parseAuthorization(header: string): readonly Parameter[] {
  if (!scheme.test(header)) return [];
  if (beyondPrintableAscii.test(header)) throw malformed();
  const parameters: Parameter[] = [];
  for (let at = nextItem(header, 'oauth'.length); at < header.length; ) {
    const equals = header.indexOf('="', at);
    const name = header.slice(at, equals);
    const end = closingQuote(header, equals + 2);
    if (equals === -1 || end === -1 || !parameterName.test(name)) throw malformed();
    if (!realm.test(name)) {
      parameters.push([checkedName(percentDecode(name)), percentDecode(header.slice(equals + 2, end))]);
    }
    at = nextItem(header, end + 1);
    if (at < header.length && header[end + 1] !== ',' && !header.slice(end + 1, at).includes(',')) throw malformed();
  }
  return parameters;
}

/** Skips commas and blanks; a list may have empty items (RFC 9110 §5.6.1.2). */
function nextItem(header: string, from: number): number {
  let at = from;
  while (header[at] === ',' || header[at] === ' ' || header[at] === '\t') at += 1;
  return at;
}

/** A realm may contain escaped quotes. */
function closingQuote(header: string, from: number): number {
  const first = header.indexOf('"', from);
  if (header[first - 1] !== '\\') return first; // nearly always
  let at = from;
  while (at < header.length && header[at] !== '"') at += header[at] === '\\' ? 2 : 1;
  return at < header.length ? at : -1;
}

function malformed(): OAuthError {
  return new OAuthError(400, 'parameter_rejected', 'Write the header as Authorization: OAuth name="value", …');
}
