import { isGantryPath, SocialError } from '@gantry/wire';

const maxLength = 2_048;

/**
 * Reads an address that an app wrote.
 *
 * @throws SocialError BAD_REQUEST for another protocol, for user-info (`https://bank.example@evil.example` reads like the
 * first), and for what is no absolute address.
 */
export function readLink(link: unknown, protocols: readonly string[]): URL {
  const url = typeof link === 'string' && link.length <= maxLength && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !protocols.includes(url.protocol) || url.username || url.password) {
    throw new SocialError('BAD_REQUEST', `A link is an absolute address that begins with ${protocols.join(', ')}`);
  }
  return url;
}

/**
 * Returns whether a member is asked before an app opens a link: to another site, by mail, to a path that Gantry serves, where
 * members sign in, allow and remove, or below one that the site names (security rule 27).
 *
 * @param link Address as `readLink` returns it.
 * @param site.origin Origin of the page.
 * @param site.askBefore Beginnings of the site's own paths, in any letter case, for example `/shop/buy`.
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
 * Paths before which a site wants its members asked, as `data-gantry-ask-before` of the gadget or the nearest element around
 * it names them, separated by spaces.
 */
export function askBeforeAt(element: Element): readonly string[] {
  const named = element.closest<HTMLElement>('[data-gantry-ask-before]')?.dataset.gantryAskBefore;
  return named?.split(/\s+/).filter(Boolean) ?? [];
}

/** Reads a path as a server or a reverse proxy might: decoded once, without dots and doubled slashes, in lower case. */
function plainPath({ pathname, origin }: URL): string | undefined {
  try {
    const decoded = decodeURIComponent(pathname);
    if (decoded.includes('%')) return undefined; // encoded twice, so that it reads otherwise to others
    const single = decoded.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
    return decodeURIComponent(new URL(single, origin).pathname).toLowerCase();
  } catch {
    return undefined;
  }
}
