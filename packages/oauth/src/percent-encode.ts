import { OAuthError } from './oauth-error.ts';

const unreserved = /^[\w.~-]*$/;
const leftByEncodeUriComponent = /[!'()*]/g;

/**
 * Encodes every byte but letters, digits, `-`, `.`, `_` and `~`.
 *
 * @throws URIError for a lone surrogate, which has no UTF-8.
 * @see RFC 5849 §3.6
 */
export function percentEncode(text: string): string {
  if (unreserved.test(text)) return text; // true for most keys, nonces and digits
  return encodeURIComponent(text).replace(
    leftByEncodeUriComponent,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes the text of `percentEncode`. @throws OAuthError 400 for bad escapes and not UTF-8. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new OAuthError(400, 'parameter_rejected', 'Percent-encode text as UTF-8, with two hex digits after each %.', {
      cause,
    });
  }
}
