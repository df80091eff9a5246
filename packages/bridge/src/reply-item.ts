import type { Reply } from '@gantry/wire';
import { copyData } from './copy-data.ts';
import type { Lease } from './lease.ts';
import type { ReplyItem } from './protocol.ts';

/** Flattens a reply for the port, with the lease that was granted for it. */
export function itemOf(id: number, reply: Reply, lease?: Lease): ReplyItem {
  if ('error' in reply) return [id, reply.error];
  const { ok, meta } = reply;
  if (!meta) return [id, null, ok];
  if (lease) return [id, null, ok, meta.ageMs, meta.source, lease.storedAtMs, lease.freshMs];
  return meta.stale || meta.pending ? [id, null, ok, meta] : [id, null, ok, meta.ageMs, meta.source];
}

/** Restores a reply that `itemOf` flattened, with a copy of a leased result. */
export function replyOf([, error, leased, meta, source, , freshMs]: ReplyItem): Reply {
  if (error) return { error };
  const ok = freshMs ? copyData(leased) : leased;
  if (typeof meta === 'object') return { ok, meta };
  return meta === undefined || !source ? { ok } : { ok, meta: { ageMs: meta, source } };
}
