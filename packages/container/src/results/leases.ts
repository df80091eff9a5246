import type { Leases } from '@gantry/bridge';
import type { Session } from '../calls/session.ts';
import type { ParseRequest } from './parse-request.ts';
import type { Reads } from './reads.ts';
import type { ResultCache } from './result-cache.ts';

/** Most leases of one port, and code units of their results as JSON; one has at most a quarter. */
export const mostLeased = {
  leases: 200,
  leaseText: 500_000,
} as const;

/** Leases of all gadgets of a page. */
export interface PageLeases {
  /** Ends the leases of a result that is replaced, changed or forgotten. */
  end(key: string): void;
  /** Ends all, after what apps may read has changed. */
  endAll(): void;
  /** Opens the leases of one load of an app. @param post Sends the app ids of leases that end. */
  open(session: Session, post: (ended: readonly number[]) => void): Leases;
}

interface Held {
  readonly key: string;
  readonly size: number;
  readonly end: () => void;
}

export function createLeases(options: {
  readonly cache: ResultCache;
  readonly reads: Pick<Reads, 'kept'>;
  readonly parse: ParseRequest;
}): PageLeases {
  const { cache, reads, parse } = options;
  const ends = new Map<string, Set<() => void>>(); // by key of the result

  function end(key: string): void {
    for (const end of ends.get(key) ?? []) end();
  }

  return {
    end,
    endAll() {
      for (const key of [...ends.keys()]) end(key);
    },
    open(session, post) {
      const held = new Map<number, Held>(); // oldest first
      let ended: number[] = [];
      let size = 0;

      function remove(id: number, { key, size: freed, end }: Held): void {
        held.delete(id);
        size -= freed;
        const ofKey = ends.get(key);
        ofKey?.delete(end);
        if (ofKey?.size === 0) ends.delete(key);
      }
      function endOne(id: number): void {
        const lease = held.get(id);
        if (lease === undefined) return;
        remove(id, lease);
        if (ended.push(id) === 1) queueMicrotask(flush);
      }
      function flush(): void {
        const ids = ended;
        ended = [];
        post(ids);
      }

      return {
        grant(id, request, reply) {
          const read = parse(session, request);
          if (!('key' in read)) return undefined;
          const { key, policy } = read;
          const present = reads.kept(read);
          const cached = cache.get(key);
          if (!present || !cached || present.meta.stale || present.meta.pending) return undefined;
          if (reply && (!('ok' in reply) || reply.ok !== present.ok)) return undefined;
          const lease = { key, size: cache.sizeOf(key), end: () => endOne(id) };
          if (lease.size > mostLeased.leaseText / 4) return undefined;
          const earlier = held.get(id); // of a watch
          if (earlier) remove(id, earlier);
          held.set(id, lease);
          size += lease.size;
          ends.set(key, (ends.get(key) ?? new Set()).add(lease.end));
          for (const oldest of held.keys()) {
            if (held.size <= mostLeased.leases && size <= mostLeased.leaseText) break;
            endOne(oldest);
          }
          return { reply: present, storedAtMs: cached.storedAtMs, freshMs: policy.freshMs };
        },
        stop() {
          for (const [id, lease] of [...held]) remove(id, lease);
        },
      };
    },
  };
}
