import { SocialError } from '@gantry/wire';

const maxLength = 2_048;

/**
 * Reads an address that an app wrote.
 *
 * @throws SocialError BAD_REQUEST for another protocol, for user-info (`https://bank.example@evil.example` reads like the
 * first), and for what is no absolute address.
 */
export function readLink(link: unknown, protocols: readonly string[]): URL {
  const url = typeof link === 'string' && link.length <= maxLength && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !protocols.includes(url.protocol) || url.username || url.password) {
    throw new SocialError('BAD_REQUEST', `A link is an absolute address that begins with ${protocols.join(', ')}`);
  }
  return url;
}
