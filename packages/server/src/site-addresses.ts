import type { BlockList } from 'node:net';
import { readAddresses } from './edge/client-address.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns an address as an origin, without a slash at its end.
 *
 * @param name Of the setting, for the message.
 * @throws UsageError for an address that has more than scheme, host and port.
 */
export function origin(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`${name} must be an address such as https://social.example, without a path, not "${text}".`);
  }
  return url.origin;
}

/**
 * Returns the origin of app documents, which may begin with `*.`, with the site's scheme where it names none.
 *
 * @throws UsageError as `origin`.
 */
export function appsOrigin(text: string, url: string | undefined, name: string): string {
  const scheme = url?.startsWith('https:') ? 'https' : 'http';
  const full = /^https?:\/\//.test(text) ? text : `${scheme}://${text}`;
  const wildcard = full.includes('://*.');
  const plain = origin(full.replace('://*.', '://'), name);
  return wildcard ? plain.replace('://', '://*.') : plain;
}

/** Reads addresses and ranges of reverse proxies. @throws UsageError that names what is none. */
export function trustedProxies(text: string, name: string): BlockList {
  const { list, wrong } = readAddresses(text);
  if (wrong.length === 0) return list;
  throw new UsageError(`${name} must be addresses or ranges such as 10.0.0.0/8,::1; "${wrong[0]}" is none.`);
}
