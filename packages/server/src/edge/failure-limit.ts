import { clientNetwork } from '@gantry/account';
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
      return isDistinct ? limit.wait(clientNetwork(address), failures) : undefined;
    },
    note({ address, isDistinct }) {
      if (isDistinct) limit.take(clientNetwork(address), failures);
    },
  };
}
