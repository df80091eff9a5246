import type { Reply } from '@gantry/wire';
import { type AppRequest, limits } from './protocol.ts';

/** A result that an app may use again, without asking, while it is fresh and until it is ended. */
export interface Lease {
  readonly reply: Extract<Reply, { readonly ok: unknown }>;
  /** Arrival of the result, in milliseconds since the epoch. */
  readonly storedAtMs: number;
  readonly freshMs: number;
  /** Characters of the result as JSON. */
  readonly size: number;
  /** Ends the watch over it; `end` is not called any more. */
  release(): void;
}

/**
 * Returns the present result of a request, if it is fresh. Calls `end` when the page would answer
 * otherwise.
 */
export type GrantLease = (request: AppRequest, end: () => void) => Lease | undefined;

/** Leases of one port, by the id of the request or preload that got them. */
export function createLeases(grant: GrantLease, post: (ended: readonly number[]) => void) {
  const held = new Map<number, Lease>(); // oldest first
  let ended: number[] = [];
  let size = 0;

  function remove(id: number): boolean {
    const lease = held.get(id);
    if (!lease) return false;
    held.delete(id);
    size -= lease.size;
    lease.release();
    return true;
  }
  function end(id: number): void {
    if (remove(id) && ended.push(id) === 1) queueMicrotask(flush);
  }
  function flush(): void {
    const ids = ended;
    ended = [];
    post(ids);
  }

  return {
    /**
     * Grants a lease with a reply that is posted before anything else happens: no end of it can
     * come first.
     *
     * @param reply Default: the present result.
     */
    grant(id: number, request: AppRequest, reply?: Reply): Lease | undefined {
      if (reply && (!('ok' in reply) || reply.meta?.stale || reply.meta?.pending)) return undefined;
      const lease = grant(request, () => end(id));
      if (!lease) return undefined;
      if ((reply && reply.ok !== lease.reply.ok) || lease.size > limits.leaseText / 4) {
        lease.release();
        return undefined;
      }
      remove(id); // of an earlier value of a watch
      held.set(id, lease);
      size += lease.size;
      for (const [oldest] of held) {
        if (held.size <= limits.leases && size <= limits.leaseText) break;
        end(oldest);
      }
      return lease;
    },
    /** Releases all; the app learns that its port is closed. */
    stop(): void {
      for (const id of [...held.keys()]) remove(id);
    },
  };
}
