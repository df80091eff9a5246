import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

const windowMs = 15 * 60_000;
const most = { name: 10, network: 50 };

/** Limits wrong passwords, for each name and for each network, in the site's database. */
export function createSignInLimit(db, now = Date.now) {
  db.exec(
    'create table if not exists attempt (subject blob primary key, count integer not null, resets_ms integer not null) strict',
  );
  const count = db.prepare(`
    insert into attempt values (?, 1, ?) on conflict (subject) do update set count = count + 1 returning count`);

  return {
    /** Counts an attempt before its password is checked, and returns whether it may be. */
    allows(name, address) {
      db.prepare('delete from attempt where resets_ms <= ?').run(now());
      return Object.entries(subjectsOf(name, address))
        .map(([kind, subject]) => count.get(subject, now() + windowMs).count <= most[kind])
        .every(Boolean);
    },
    /** Takes back an attempt with the right password. */
    forget(name, address) {
      for (const subject of Object.values(subjectsOf(name, address)))
        db.prepare('update attempt set count = count - 1 where subject = ?').run(subject);
    },
  };
}

function subjectsOf(name, address = '') {
  const digest = (text) => createHash('sha256').update(text).digest();
  return { name: digest(`name ${name.toLowerCase()}`), network: digest(`network ${networkOf(address)}`) };
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 one: a home has as many as it likes. */
export function networkOf(address) {
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(ipv4)) return ipv4;
  const [start, end] = ipv4.split('::').map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = end === undefined ? [] : new Array(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':');
}
