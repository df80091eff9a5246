/**
 * Paths of a site that Gantry serves, each with everything below it. All others are the site's own.
 *
 * A reverse proxy passes them on, a router mounts Gantry at them, and a link of an app to one of
 * them asks the member first. `gantry proxy` serves `/gantry`, `/healthz`, `/readyz` and `/metrics`
 * only.
 */
export const gantryPaths = [
  '/account',
  '/admin/oauth/access_token',
  '/admin/oauth/authorize',
  '/admin/oauth/request_token',
  '/gantry',
  '/healthz',
  '/metrics',
  '/oauth/access_token',
  '/oauth/authorize',
  '/oauth/request_token',
  '/openapi.json',
  '/opensocial',
  '/readyz',
  '/reference',
  '/rpc',
  '/social',
] as const;

/** Returns true for a path, without its query and in the case asked, that Gantry serves. */
export function isGantryPath(path: string): boolean {
  return isBelow(gantryPaths, path);
}

/** Returns true for a path, without its query, that is one of `paths` or below one. */
export function isBelow(paths: readonly string[], path: string): boolean {
  return paths.some((root) => path.startsWith(root) && (path.length === root.length || path[root.length] === '/'));
}
