import type { Reply, ReplyMeta } from '@gantry/wire';
import { copyData } from './copy-data.ts';
import type { Lease } from './lease.ts';
import type { LeasedItem, ReplyItem } from './protocol.ts';

/** Flattens a reply for the port, with the lease that was granted for it. */
export function itemOf(id: number, reply: Reply, lease?: Lease): ReplyItem {
  if ('error' in reply) return [id, reply.error];
  const { ok, meta } = reply;
  if (!meta) return [id, null, ok];
  if (lease && meta.source === 'cache') return [id, null, ok, lease.storedAtMs, lease.freshMs];
  if (lease) return [id, null, ok, lease.storedAtMs, lease.freshMs, 'network'];
  return meta.stale || meta.pending ? [id, null, ok, meta] : [id, null, ok, meta.ageMs, meta.source];
}

/**
 * Restores a reply that `itemOf` flattened, with a copy of a leased result: the app may change it.
 *
 * @param nowMs Milliseconds since the epoch.
 * @param from Source of a leased result that is used again.
 */
export function replyOf(item: ReplyItem, nowMs: number, from?: 'cache'): Reply {
  // By index, since a pattern iterates, which is slow in code that runs seldom.
  if (isLeased(item)) {
    return { ok: copyData(item[2]), meta: { ageMs: nowMs - item[3], source: from ?? item[5] ?? 'cache' } };
  }
  if (item[1]) return { error: item[1] };
  const [ok, meta] = [item[2], item[3]];
  if (typeof meta === 'number') return { ok, meta: { ageMs: meta, source: item[4] as ReplyMeta['source'] } };
  return meta ? { ok, meta } : { ok };
}

export function isLeased(item: ReplyItem): item is LeasedItem {
  return typeof item[4] === 'number';
}

/** Returns true if the page, too, would answer with a leased reply at this time. */
export function isFresh(item: LeasedItem, nowMs: number): boolean {
  return item[3] <= nowMs && nowMs < item[3] + item[4]; // the clock may have been set back
}
