/** Caching of a file whose name changes with its content. */
export const immutable = 'public, max-age=31536000, immutable';

/**
 * Returns the `Cache-Control` of an app's file: `no-cache`, unless its name is surely a digest of
 * its content, as Vite writes them (`assets/index-BkR3x9_a.js`). Pages and SVG are asked for each
 * time, so that new headers arrive.
 */
export function cachingOf(path: string): string {
  const [, name = ''] = /\/assets\/(?:[^/]+\/)*[^/]*-([\w-]{8})\.(?!html?$|svg$)\w+$/i.exec(path) ?? [];
  return isDigest(name) ? immutable : 'no-cache';
}

// Seven in ten digests pass; `settings`, `Release2`, `IMG_1234`, `20240131` and `iPhone12` do not.
function isDigest(name: string): boolean {
  const kinds = name.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  return ['a', 'A', '0'].every((kind) => kinds.includes(kind)) && kinds.replace(/(.)\1+/g, '$1').length >= 5;
}
