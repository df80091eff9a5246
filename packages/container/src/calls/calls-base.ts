/**
 * Returns the URL that calls go to: the folder of `/gantry/container.js`, wherever that is served,
 * or `/gantry/` of the page for a script that a site bundled.
 *
 * @param page Location of the page. A server has none.
 */
export function callsBase(script: string, page: { readonly href: string } | undefined): URL {
  const isServed = page === undefined || new URL(script).pathname.endsWith('/gantry/container.js');
  return isServed ? new URL('.', script) : new URL('/gantry/', page.href);
}
