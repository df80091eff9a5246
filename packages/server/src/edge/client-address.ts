import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { contains, isPublic, plainAddress } from '../setup/ip-addresses.ts';

/** The client of a request, as far as it can be known. */
export interface Client {
  readonly address: string;
  /** A trusted proxy forwarded the request, so its headers can be believed. */
  readonly isForwarded: boolean;
  /** The address is one client's. A private one may be an unnamed proxy for many. */
  readonly isDistinct: boolean;
}

/**
 * Makes the function that returns the client of a request. `X-Forwarded-For` counts only from a
 * trusted proxy, and only its last address that is not itself trusted: a client can write anything
 * before it (contract §5).
 *
 * @param options.isProxied All connections are of a trusted proxy, which has no address: through a
 * Unix socket.
 */
export function createClientAddress(
  trusted: BlockList = new BlockList(),
  { isProxied = false }: { readonly isProxied?: boolean } = {},
): (incoming: IncomingMessage) => Client {
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    if (!isProxied && !contains(trusted, peer)) {
      return { address: peer, isForwarded: false, isDistinct: isPublic(peer) };
    }
    const named = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => plainAddress(part.trim()))
      .findLast((address) => isIP(address) !== 0 && !contains(trusted, address));
    return { address: named ?? peer, isForwarded: true, isDistinct: named !== undefined };
  };
}
