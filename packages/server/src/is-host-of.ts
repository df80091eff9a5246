/**
 * True where `host` is that of `origin`, whose host may begin with `*.` for any one subdomain. Only hosts are compared: behind a
 * reverse proxy that ends TLS, the scheme that arrives is not the site's.
 */
export function isHostOf(host: string, origin: string): boolean {
  const wanted = origin.slice(origin.indexOf('://') + 3);
  if (!wanted.startsWith('*.')) return host === wanted;
  return /^[a-z0-9-]+\./.test(host) && host.slice(host.indexOf('.')) === wanted.slice(1);
}
