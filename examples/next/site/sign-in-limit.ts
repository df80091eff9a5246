import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { database } from './database.ts';

const windowMs = 15 * 60_000;
const mostOfName = 10;
const mostOfNetwork = 50;

/** Counts an attempt to sign in before its password is checked, and returns whether it may be. */
export function allowsAttempt(name: string, address: string): boolean {
  database().prepare('delete from attempt where resets_ms <= ?').run(Date.now());
  const count = database().prepare(`
    insert into attempt values (?, 1, ?) on conflict (subject) do update set count = count + 1 returning count`);
  const [ofName = 0, ofNetwork = 0] = subjectsOf(name, address).map((subject) =>
    Number(count.get(subject, Date.now() + windowMs)?.count),
  );
  return ofName <= mostOfName && ofNetwork <= mostOfNetwork;
}

/** Takes back an attempt with the right password. */
export function forgetAttempt(name: string, address: string): void {
  for (const subject of subjectsOf(name, address)) {
    database().prepare('update attempt set count = count - 1 where subject = ?').run(subject);
  }
}

function subjectsOf(name: string, address: string): readonly Buffer[] {
  return [`name ${name.toLowerCase()}`, `network ${networkOf(address)}`].map((text) =>
    createHash('sha256').update(text).digest(),
  );
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 one: a home has as many as it likes. */
function networkOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [start = [], end] = ipv4.split('::').map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = end === undefined ? [] : new Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':');
}
