import { join } from 'node:path';

/** Public address of the site, as browsers see it. */
export const url = process.env.URL ?? `http://localhost:${process.env.PORT ?? 3000}`;

/** Folder of the site's own database, and of Gantry's. */
export const dataFolder = process.env.DATA ?? join(process.cwd(), 'data');

/**
 * Returns the path to go back to after the sign-in, if it is one of this site. A path that begins
 * with two slashes is not: Next shortens same-origin addresses to their path, and `//evil.example`
 * is another site.
 */
export function ownPath(back: string): string {
  const address = URL.canParse(back, url) ? new URL(back, url) : undefined;
  if (address?.origin !== url || address.pathname.startsWith('//')) return '/';
  return address.pathname + address.search;
}
