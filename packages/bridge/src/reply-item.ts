import type { Reply } from '@gantry/wire';
import type { ReplyItem } from './protocol.ts';

/** A reply as it crosses the port. */
export function itemOf(id: number, reply: Reply): ReplyItem {
  if ('error' in reply) return [id, reply.error];
  const { ok, meta } = reply;
  return meta ? [id, null, ok, meta.ageMs, meta.source, meta.stale] : [id, null, ok];
}

/** What `itemOf` made flat. */
export function replyOf([, error, ok, ageMs, source, stale]: ReplyItem): Reply {
  if (error) return { error };
  if (ageMs === undefined || !source) return { ok };
  return { ok, meta: stale ? { ageMs, source, stale } : { ageMs, source } };
}
