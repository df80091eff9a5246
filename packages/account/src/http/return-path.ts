/**
 * Returns the path of this site, with its query, to open after signing in. Anything else is
 * `undefined`, above all text that a browser would take for another host: `//evil.example`,
 * `/\evil.example`, `/%09/evil`, and paths that begin so once dots are resolved.
 */
export function returnPath(text: string | undefined | null): string | undefined {
  if (!text?.startsWith('/') || !/^[!-[\]-~]+$/.test(text)) return undefined; // visible ASCII without backslash
  if (!URL.canParse(text, nowhere)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, nowhere);
  if (origin !== nowhere || pathname.startsWith('//')) return undefined;
  return pathname + search + hash;
}

const nowhere = 'http://gantry.invalid';
