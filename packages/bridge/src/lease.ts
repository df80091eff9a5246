import type { Reply } from '@gantry/wire';
import type { AppRequest } from './protocol.ts';

/** A result that an app may use again, without asking, while it is fresh and until it is ended. */
export interface Lease {
  readonly reply: Reply;
  /** Arrival of the result, in milliseconds since the epoch. */
  readonly storedAtMs: number;
  readonly freshMs: number;
}

/** Leases of one port, by the ids of their replies. */
export interface Leases {
  /**
   * Grants a lease, if the page would give the same reply again. The reply has to be posted in the
   * same task, so that no end of the lease comes before it.
   *
   * @param reply Default: the present result of the request.
   */
  grant(id: number, request: AppRequest, reply?: Reply): Lease | undefined;
  /** Forgets all; the app learns that its port is closed. */
  stop(): void;
}
