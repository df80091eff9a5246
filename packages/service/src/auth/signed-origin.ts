const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True if `url` is `site` under another name of this machine: on loopback, 127.0.0.1 and
 * localhost are the same site.
 */
export function isLoopbackAlias(url: URL, site: URL): boolean {
  return loopback.has(site.hostname) && loopback.has(url.hostname) && url.port === site.port;
}

/**
 * Creates the function that returns the origin that a client signed: the public one, whatever its
 * `Host`. On a developer's machine it may be another loopback name of the same site.
 */
export function createSignedOrigin(publicUrl: string): (host: string) => string {
  const site = new URL(publicUrl);
  if (!loopback.has(site.hostname)) return () => publicUrl;
  return (host) => {
    if (host === site.host) return publicUrl;
    const url = URL.canParse(`${site.protocol}//${host}`) ? new URL(`${site.protocol}//${host}`) : site;
    return isLoopbackAlias(url, site) ? url.origin : publicUrl;
  };
}
