const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True if `url` is `site` under another name of loopback: 127.0.0.1 and localhost are the same. */
export function isLoopbackAlias(url: URL, site: URL): boolean {
  return loopback.has(site.hostname) && loopback.has(url.hostname) && url.port === site.port;
}

/** Creates the function that returns the origin a client signed: the public one, or of loopback. */
export function createSignedOrigin(publicUrl: string): (host: string) => string {
  const site = new URL(publicUrl);
  if (!loopback.has(site.hostname)) return () => publicUrl;
  return (host) => {
    if (host === site.host) return publicUrl;
    const url = URL.canParse(`${site.protocol}//${host}`) ? new URL(`${site.protocol}//${host}`) : site;
    return isLoopbackAlias(url, site) ? url.origin : publicUrl;
  };
}
