import { UsageError } from '@gantry/server';
import { isLocalHost } from '@gantry/wire/runtime';

/**
 * Returns the origin of a site that gets a key. @throws UsageError for an address at which others
 * could read it.
 */
export function siteAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash !== '') {
    throw new UsageError(`--site needs the address of a site, such as https://social.example, not ${text}`);
  }
  if (url.protocol === 'http:' && !isLocalHost(url.hostname)) {
    throw new UsageError(`A key is sent over https only, or to this machine, not to ${text}`);
  }
  return url.origin;
}
