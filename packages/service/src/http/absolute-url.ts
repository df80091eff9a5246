/** Resolves an address that may be relative to the site's origin; `''` stays `''`. */
export function absoluteUrl(stored: string, publicUrl: string): string {
  if (stored === '' || /^https?:\/\//i.test(stored)) return stored;
  if (stored.startsWith('/') && !stored.startsWith('//')) return publicUrl + stored;
  return new URL(stored, publicUrl).href;
}
