/**
 * Returns the address under which the page's calls go out: the folder of `/gantry/container.js`, wherever that is served.
 *
 * @param script URL of this script. A site's own bundle lies elsewhere, and its calls go to `/gantry/` of the page.
 * @param page Location of the page. A server has none.
 */
export function callsBase(script: string, page: { readonly href: string } | undefined): URL {
  const isServed = page === undefined || new URL(script).pathname.endsWith('/gantry/container.js');
  return isServed ? new URL('.', script) : new URL('/gantry/', page.href);
}
