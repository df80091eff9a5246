import { createRateLimit } from '@gantry/service';
import type { Client } from './client-address.ts';

/** Failed authorizations that one address may cause: as many at once, and as many a minute. */
const failures = { perMinute: 300, burst: 300 };

/** Holds back addresses that prove nothing again and again, before OAuth costs a statement and an HMAC each time. */
export interface FailureLimit {
  /** Seconds for which an address gets no hearing, if that is so. */
  wait(client: Client): number | undefined;
  /** Counts one failed authorization. */
  note(client: Client): void;
}

/** @param now Milliseconds since the epoch. */
export function createFailureLimit(now: () => number = Date.now): FailureLimit {
  const limit = createRateLimit(now);

  return {
    wait({ address, isDistinct }) {
      // A private address may be a proxy that nobody named: holding it back would hold back everyone behind it.
      return isDistinct ? limit.wait(network(address), failures) : undefined;
    },
    note({ address, isDistinct }) {
      if (isDistinct) limit.take(network(address), failures);
    },
  };
}

// One customer has 2^64 IPv6 addresses.
function network(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
