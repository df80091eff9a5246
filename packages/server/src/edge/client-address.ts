import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface Client {
  /** Address of whoever asks, as far as it can be known. */
  readonly address: string;
  /** Whether a proxy that the site trusts passed the request on, so that what its headers say can be believed. */
  readonly isForwarded: boolean;
  /** Whether `address` is one client's own. A private one may be a proxy that was not named, with everyone behind it. */
  readonly isDistinct: boolean;
}

/**
 * Makes the function that says who a connection speaks for. `X-Forwarded-For` counts only from a trusted proxy, and of its
 * addresses the last that is not itself trusted: whatever stands before that, the client wrote (contract §5).
 */
export function createClientAddress(trusted: BlockList | undefined): (incoming: IncomingMessage) => Client {
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    if (!trusted || !contains(trusted, peer)) {
      return { address: peer, isForwarded: false, isDistinct: isPublic(peer) };
    }
    const named = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => plainAddress(part.trim()))
      .findLast((address) => isIP(address) !== 0 && !contains(trusted, address));
    return { address: named ?? peer, isForwarded: true, isDistinct: named !== undefined };
  };
}

/**
 * Reads addresses and ranges: `10.0.0.0/8,::1`.
 *
 * @returns What of it is none.
 */
export function readAddresses(text: string): { readonly list: BlockList; readonly wrong: readonly string[] } {
  const list = new BlockList();
  const wrong: string[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const [address = '', bits, ...more] = part.split('/');
    const family = isIP(address);
    const widest = family === 6 ? 128 : 32;
    const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= widest;
    if (family === 0 || more.length > 0 || (bits !== undefined && !isRange)) wrong.push(part);
    else if (bits === undefined) list.addAddress(address, familyName(address));
    else list.addSubnet(address, Number(bits), familyName(address));
  }
  return { list, wrong };
}

/** True for the machine itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(plainAddress(address));
}

function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !contains(internal, address);
}

const internal = readAddresses(
  '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,169.254.0.0/16,::1,fc00::/7,fe80::/10',
).list;

function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyName(address));
}

function familyName(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns the address of an IPv4 client as such: a socket that takes both families names it `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
