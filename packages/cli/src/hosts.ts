/** True where `address` is at `origin`, whose host may begin with `*.` for any one subdomain. */
export function isHost(address: URL, origin: string): boolean {
  if (!origin.includes('://*.')) return address.origin === origin;
  const [scheme, host] = origin.split('://*') as [string, string];
  return (
    address.protocol === `${scheme}:` &&
    /^[a-z0-9-]+\./.test(address.host) &&
    address.host.slice(address.host.indexOf('.')) === host
  );
}

/** True for a host name that only this machine can mean. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
