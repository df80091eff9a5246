/**
 * Returns true for a host name of this machine: localhost, a name below it, or a loopback address.
 *
 * @param hostname As `URL.hostname` gives it: in lower case, an IPv6 address in brackets.
 */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
