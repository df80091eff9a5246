import { clientNetwork } from '@gantry/account';
import { createRateLimit } from '@gantry/wire/runtime';
import type { Client } from './client-address.ts';

/** Failed authorizations allowed for one address: the burst, and the rate. */
const failures = { perMinute: 300, burst: 300 };

/** Makes the limit of failed authorizations. @param now Milliseconds since the epoch. */
export function createFailureLimit(now: () => number = Date.now) {
  const limit = createRateLimit(now);

  return {
    /** Returns the seconds for which an address is refused, if it is. */
    wait({ address, isDistinct }: Client): number | undefined {
      // A private address may be an unnamed proxy: refusing it would refuse all clients behind it.
      return isDistinct ? limit.wait(clientNetwork(address), failures) : undefined;
    },
    /** Counts one failed authorization. */
    note({ address, isDistinct }: Client): void {
      if (isDistinct) limit.take(clientNetwork(address), failures);
    },
  };
}
