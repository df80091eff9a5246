import type { Reply } from '@gantry/wire';
import { aborted } from './flights.ts';
import type { Entry } from './outbox-entry.ts';

/**
 * What an attempt means for a write: it is `done`, well or not; it was `taken back` before it left; it is tried `again`, because
 * nobody knows what became of it; it came `too soon`; or it belongs to `another` member than the one who is here.
 */
export type Verdict = 'done' | 'taken back' | 'again' | 'too soon' | 'another';

/**
 * @param attempt.isLost There was no answer; the reply is the page's own.
 * @param attempt.failsOffline The app wants no waiting.
 */
export function verdictOf(
  { waits, queues }: Pick<Entry, 'waits' | 'queues'>,
  reply: Reply,
  { isLost, failsOffline }: { readonly isLost: boolean; readonly failsOffline: boolean },
): Verdict {
  if ('ok' in reply) return 'done';
  if (reply === aborted) return 'taken back';
  const { code, data } = reply.error;
  if (data?.reason === 'VIEWER_CHANGED' || (isLost && code === 401)) return 'another';
  // The site's own troubles are told to an app that is there; what waits already can wait for their end.
  const isTrouble = code >= 502 && code <= 504 && data?.reason !== 'OUTCOME_UNKNOWN';
  if (!failsOffline && (isLost ? code >= 500 : waits && isTrouble)) return 'again';
  return code === 429 && data?.retryAfter !== undefined && (queues || waits) ? 'too soon' : 'done';
}
