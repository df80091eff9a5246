import { join } from 'node:path';

/** Public address of the site, as browsers see it. */
export const url = process.env.URL ?? `http://localhost:${process.env.PORT ?? 3000}`;

/** Folder of the site's own database, and of Gantry's. */
export const dataFolder = process.env.DATA ?? join(process.cwd(), 'data');

/** Returns the address to go back to after the sign-in, if it is one of this site. */
export function ownAddress(back: string): string {
  const address = URL.canParse(back, url) ? new URL(back, url) : undefined;
  return address?.origin === url ? address.href : '/'; // whole: a path of its own may begin with //
}
