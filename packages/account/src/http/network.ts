import { isIPv6 } from 'node:net';
import type { Client } from './client.ts';

/** Returns the address that attempts are counted by: one IPv6 address has its whole /64. */
export function clientNetwork(address: string): string {
  const groups = ipv6Groups(address);
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : plain(address);
}

/** Returns the network that shares places in a queue: a customer's /24 of IPv4 or /48 of IPv6. */
export function siteNetwork(address: string): string {
  const groups = ipv6Groups(address);
  if (groups) return `${groups.slice(0, 3).join(':')}::/48`;
  return /^\d+(\.\d+){3}$/.test(plain(address)) ? plain(address).replace(/\d+$/, '0/24') : plain(address);
}

/** Returns the network that shares a client's places; one for all whose address is not known. */
export function networkOfClient({ address }: Client): string {
  return address === undefined ? 'unknown' : siteNetwork(address);
}

// A socket that takes both families names IPv4 clients `::ffff:192.0.2.1`.
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function ipv6Groups(address: string): readonly string[] | undefined {
  if (!isIPv6(plain(address))) return undefined;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return full.map((group) => Number.parseInt(group, 16).toString(16));
}
