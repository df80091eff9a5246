import type { HttpRequest } from '../http-exchange.ts';
import { SocialError } from '../social-error.ts';
import { isLocalHost } from './local-host.ts';

/**
 * Returns the bearer key of a request, or `undefined` if it sends none. A signature is no use to a
 * reader, a bearer key is: it is refused where others could read it on its way (decision 82).
 *
 * @param siteOrigin Public address of the site.
 * @throws SocialError FORBIDDEN
 */
export function readBearer(
  { header, host }: Pick<HttpRequest, 'header' | 'host'>,
  siteOrigin: string,
): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? [];
  if (bearer === undefined) return undefined;
  const address = host.toLowerCase();
  const isOfSite =
    siteOrigin.startsWith('https:') && address.replace(/:443$/, '') === siteOrigin.slice('https://'.length);
  if (isOfSite || isLocalHost(address.replace(/:\d+$/, ''))) return bearer;
  throw new SocialError('FORBIDDEN', 'Send a bearer key to the https address of the site, or on its own machine.');
}
