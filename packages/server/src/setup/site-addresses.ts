import type { BlockList } from 'node:net';
import { parseAddresses } from './ip-addresses.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns an address as an origin, without a final slash.
 *
 * @param name Name of the setting, for the message.
 * @throws UsageError for an address that has more than scheme, host and port.
 */
export function origin(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`${name} must be an address such as https://social.example, without a path, not "${text}".`);
  }
  return url.origin;
}

/** Returns a site's address as an origin. @throws UsageError as `origin`, and for a path. */
export function siteOrigin(text: string, name: string): string {
  const [, host] = /^(https?:\/\/[^/]+)\/./.exec(text) ?? [];
  if (host === undefined) return origin(text, name);
  throw new UsageError(
    `${name} must be an address without a path, not "${text}": Gantry's paths begin at the root of the host. Use ${host}, and pass those paths on from there.`,
  );
}

/** Returns the origin of app documents, perhaps with `*.`. @throws UsageError as `origin`. */
export function appsOrigin(text: string, url: string | undefined, name: string): string {
  const scheme = url?.startsWith('https:') ? 'https' : 'http';
  const full = /^https?:\/\//.test(text) ? text : `${scheme}://${text}`;
  const wildcard = full.includes('://*.');
  const plain = origin(full.replace('://*.', '://'), name);
  return wildcard ? plain.replace('://', '://*.') : plain;
}

/** Returns addresses and ranges of reverse proxies. @throws UsageError that names a wrong one. */
export function trustedProxies(text: string, name: string): BlockList {
  const { list, wrong } = parseAddresses(text);
  if (wrong.length === 0) return list;
  throw new UsageError(`${name} must be addresses or ranges such as 10.0.0.0/8,::1, not "${wrong[0]}".`);
}
