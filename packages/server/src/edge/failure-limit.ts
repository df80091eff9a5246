import { createRateLimit } from '@gantry/wire';
import type { Client } from './client-address.ts';

/** Failed authorizations allowed for one address: the burst, and the rate. */
const failures = { perMinute: 300, burst: 300 };

/** Refuses addresses with many failed authorizations, before OAuth costs any work. */
export interface FailureLimit {
  /** Returns the seconds for which an address is refused, if it is. */
  wait(client: Client): number | undefined;
  /** Counts one failed authorization. */
  note(client: Client): void;
}

/** Makes the limit of failed authorizations. @param now Milliseconds since the epoch. */
export function createFailureLimit(now: () => number = Date.now): FailureLimit {
  const limit = createRateLimit(now);

  return {
    wait({ address, isDistinct }) {
      // A private address may be an unnamed proxy: refusing it would refuse all clients behind it.
      return isDistinct ? limit.wait(network(address), failures) : undefined;
    },
    note({ address, isDistinct }) {
      if (isDistinct) limit.take(network(address), failures);
    },
  };
}

// One customer has 2^64 IPv6 addresses: use their common network.
function network(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
