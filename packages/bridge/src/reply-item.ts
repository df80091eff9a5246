import type { Reply } from '@gantry/wire';
import type { Lease } from './leases.ts';
import type { ReplyItem } from './protocol.ts';

/** Flattens a reply for the port, with the lease that was granted for it. */
export function itemOf(id: number, reply: Reply, lease?: Lease): ReplyItem {
  if ('error' in reply) return [id, reply.error];
  const { ok, meta } = reply;
  if (!meta) return [id, null, ok];
  if (lease) return [id, null, ok, meta.ageMs, meta.source, lease.storedAtMs, lease.freshMs];
  return meta.stale || meta.pending ? [id, null, ok, meta] : [id, null, ok, meta.ageMs, meta.source];
}

/** Restores a reply that `itemOf` flattened. */
export function replyOf([, error, ok, meta, source]: ReplyItem): Reply {
  if (error) return { error };
  if (typeof meta === 'object') return { ok, meta };
  return meta === undefined || !source ? { ok } : { ok, meta: { ageMs: meta, source } };
}
