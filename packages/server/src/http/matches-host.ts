/**
 * Returns whether `host` is that of `origin`, whose host may begin with `*.` for any one subdomain.
 * Schemes are not compared: a reverse proxy that ends TLS passes requests on over http.
 */
export function matchesHost(host: string, origin: string): boolean {
  const pattern = origin.slice(origin.indexOf('://') + 3);
  if (!pattern.startsWith('*.')) return host === pattern;
  return /^[a-z0-9-]+\./.test(host) && host.slice(host.indexOf('.')) === pattern.slice(1);
}
