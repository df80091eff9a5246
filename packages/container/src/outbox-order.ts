import { type Entry, isPost } from './outbox-entry.ts';

/**
 * What goes next of one lane: an entry that waits goes alone, so that nothing behind it overtakes it. Posts stay behind one that
 * came too soon; AppData has nothing to do with the interval and goes on.
 *
 * @param entries Oldest first.
 */
export function nextToSend(entries: readonly Entry[], nowMs: number): readonly Entry[] {
  const open = entries.filter(({ done }) => done === undefined);
  const tooSoon = open.findIndex((entry) => isPost(entry) && nowMs < (entry.retryAtMs ?? 0));
  const able = tooSoon < 0 ? open : open.filter((entry, index) => index < tooSoon || !isPost(entry));
  const waiting = able.findIndex(({ waits }) => waits);
  return waiting < 0 ? able : able.slice(0, waiting || 1);
}

/** When something of a lane is due, in milliseconds since the epoch; undefined where nothing waits for a time. */
export function nextTime(
  entries: readonly Entry[],
  { retryAtMs, nowMs }: { readonly retryAtMs: number; readonly nowMs: number },
): number | undefined {
  const open = entries.filter(({ done }) => done === undefined);
  const times = open.flatMap((entry) => [retryAtMs, entry.retryAtMs ?? 0]).filter((ms) => ms > nowMs);
  return times.length === 0 ? undefined : Math.min(...times);
}
