/** Value of `oauth_callback` without a page: the member copies the verifier (RFC 5849 §2.1). */
export const outOfBand = 'oob';

/** Longest callback in characters: a longer one would only mislead the member who reads it. */
const maxLength = 2_000;

/** Parses `oauth_callback`: `oob` (default) or an http(s) URL. @returns `undefined` if invalid. */
export function parseCallback(text: string = outOfBand): string | undefined {
  if (text === outOfBand) return text;
  // `URL` drops line breaks and blanks, which would change what was signed.
  if (!/^https?:\/\/[!-~]+$/i.test(text) || text.length > maxLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** Adds parameters to a callback and keeps its own query and fragment (contract §5). */
export function callbackWith(callback: string, parameters: Readonly<Record<string, string>>): string {
  const hash = callback.indexOf('#');
  const [address, fragment] = hash === -1 ? [callback, ''] : [callback.slice(0, hash), callback.slice(hash)];
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${new URLSearchParams(parameters)}${fragment}`;
}
