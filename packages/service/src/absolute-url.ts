/**
 * Makes an address that may be stored relative to the site absolute; `''` stays `''`.
 *
 * @param publicUrl The site's origin.
 */
export function absoluteUrl(stored: string, publicUrl: string): string {
  if (stored === '' || /^https?:\/\//i.test(stored)) return stored;
  if (stored.startsWith('/') && !stored.startsWith('//')) return publicUrl + stored;
  return new URL(stored, publicUrl).href;
}
