/** What a consumer says when no page of its own can take the verifier: the member copies it (RFC 5849 §2.1). */
export const outOfBand = 'oob';

/** An address with a member name in it, or longer, serves only to mislead the one who looks at it. */
const maxLength = 2_000;

/**
 * Reads `oauth_callback`: `oob`, also for none, or an absolute http(s) URL, as a browser would open it.
 *
 * @returns `undefined` for anything else.
 */
export function parseCallback(text: string = outOfBand): string | undefined {
  if (text === outOfBand) return text;
  // `URL` would drop line breaks and blanks; what is left has to be what was sent.
  if (!/^https?:\/\/[!-~]+$/i.test(text) || text.length > maxLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** Adds parameters to a callback, whose own query and fragment stay as they are (contract §5). */
export function callbackWith(callback: string, parameters: Readonly<Record<string, string>>): string {
  const hash = callback.indexOf('#');
  const [address, fragment] = hash === -1 ? [callback, ''] : [callback.slice(0, hash), callback.slice(hash)];
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${new URLSearchParams(parameters)}${fragment}`;
}
