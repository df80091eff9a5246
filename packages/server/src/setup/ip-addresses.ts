import { BlockList, isIP } from 'node:net';

/** Reads addresses and ranges, `10.0.0.0/8,::1`, and lists the parts that are neither. */
export function parseAddresses(text: string): { readonly list: BlockList; readonly wrong: readonly string[] } {
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

/** Returns whether an address is one of this machine. False for a name such as `127.example`. */
export function isLoopback(address: string): boolean {
  return contains(loopback, plainAddress(address));
}

/** Returns whether an address is reachable from the internet. */
export function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !contains(internal, address);
}

const loopback = parseAddresses('127.0.0.0/8,::1').list;
const internal = parseAddresses(
  '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,169.254.0.0/16,::1,fc00::/7,fe80::/10',
).list;

export function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyName(address));
}

function familyName(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns an IPv4 address in its own form: dual-stack sockets report `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
