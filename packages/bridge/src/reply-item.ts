import type { Reply } from '@gantry/wire';
import type { ReplyItem } from './protocol.ts';

/** Flattens a reply for the port. */
export function itemOf(id: number, reply: Reply): ReplyItem {
  if ('error' in reply) return [id, reply.error];
  const { ok, meta } = reply;
  if (!meta) return [id, null, ok];
  return meta.stale || meta.pending ? [id, null, ok, meta] : [id, null, ok, meta.ageMs, meta.source];
}

/** Restores a reply that `itemOf` flattened. */
export function replyOf([, error, ok, meta, source]: ReplyItem): Reply {
  if (error) return { error };
  if (typeof meta === 'object') return { ok, meta };
  return meta === undefined || !source ? { ok } : { ok, meta: { ageMs: meta, source } };
}
