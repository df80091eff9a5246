import { isGantryPath, SocialError } from '@gantry/wire';

const maxLength = 2_048;

/**
 * Parses an address of an app.
 *
 * @throws SocialError BAD_REQUEST if it is not absolute, has another protocol, or user-info
 * (`https://bank.example@evil.example` looks like the bank's).
 */
export function readLink(link: unknown, protocols: readonly string[]): URL {
  const url = typeof link === 'string' && link.length <= maxLength && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !protocols.includes(url.protocol) || url.username || url.password) {
    throw new SocialError('BAD_REQUEST', `A link is an absolute address that begins with ${protocols.join(', ')}`);
  }
  return url;
}

/**
 * Returns true if the member must confirm a link before it opens: to another site, by mail, to a
 * path of Gantry, where members sign in, allow and remove, or below a path that the site names
 * (security rule 27).
 *
 * @param link Address as `readLink` returns it.
 * @param site.origin Origin of the page.
 * @param site.askBefore Beginnings of the site's own paths, in any letter case, from
 * `data-gantry-ask-before`: for example `/shop/buy`.
 */
export function asksBefore(
  link: URL,
  { origin, askBefore }: { readonly origin: string; readonly askBefore: readonly string[] },
): boolean {
  if (link.origin !== origin) return true;
  const path = plainPath(link);
  return path === undefined || isGantryPath(path) || askBefore.some((start) => path.startsWith(start.toLowerCase()));
}

/**
 * Normalizes a path as a server or reverse proxy might: decoded once, without dot segments and
 * doubled slashes, in lower case. Returns `undefined` if it cannot be decoded unambiguously.
 */
function plainPath({ pathname, origin }: URL): string | undefined {
  try {
    const decoded = decodeURIComponent(pathname);
    if (decoded.includes('%')) return undefined; // encoded twice: servers would read it differently
    const single = decoded.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
    return decodeURIComponent(new URL(single, origin).pathname).toLowerCase();
  } catch {
    return undefined;
  }
}
