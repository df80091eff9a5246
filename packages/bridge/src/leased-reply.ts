import type { Reply } from '@gantry/wire';
import { copyData } from './copy-data.ts';
import type { ReplyItem } from './protocol.ts';

/**
 * Returns a copy of a leased result, if the page would answer the same at this time.
 *
 * @see docs/decisions/0091-leases.md
 */
export function leasedReply([, , ok, , , storedAtMs = 0, freshMs = 0]: ReplyItem, nowMs: number): Reply | undefined {
  const ageMs = nowMs - storedAtMs;
  if (ageMs < 0 || ageMs >= freshMs) return undefined; // below 0: the clock was set back
  return { ok: copyData(ok), meta: { ageMs, source: 'cache' } };
}
