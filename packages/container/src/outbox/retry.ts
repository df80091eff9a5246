import { failure } from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { aborted } from '../calls/failures.ts';
import { type Entry, hasInterval, isDoneTwice } from './entry.ts';
import type { Pause } from './write-queue.ts';

// All that decides if and when a write is sent again (docs/decisions/0021-writes-happen-once.md).

/**
 * Meaning of an attempt: `done`, well or not; `taken back` before it left; sent `again`, its
 * outcome being unknown; `too soon`; or of `another` member than the one who is signed in.
 */
export type Verdict = 'done' | 'taken back' | 'again' | 'too soon' | 'another';

/** Reply to one attempt. */
export interface Attempt {
  readonly reply: Reply;
  /** There was no response; the reply is the page's own. */
  readonly isLost: boolean;
}

const hour = 3_600_000;
const postRepeatedMs = 47 * hour; // the proxy forgets a write after 48
const keptMs = 30 * 24 * hour;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** @param failsOffline The app does not want the write to wait. */
export function verdictOf(
  entry: Pick<Entry, 'request' | 'waits' | 'queues'>,
  { reply, isLost }: Attempt,
  failsOffline: boolean,
): Verdict {
  const { waits, queues } = entry;
  if ('ok' in reply) return 'done';
  if (reply === aborted) return 'taken back';
  const { code, data } = reply.error;
  if (data?.reason === 'VIEWER_CHANGED' || (isLost && code === 401)) return 'another';
  // Errors of the site are the reply to a present app; a waiting write goes on waiting.
  const isUnavailable = code >= 502 && code <= 504 && data?.reason !== 'OUTCOME_UNKNOWN';
  if (!failsOffline && (isLost ? code >= 500 : waits && isUnavailable)) return 'again';
  if (code !== 429 || data?.retryAfter === undefined || !(queues || waits)) return 'done';
  return hasInterval(entry) ? 'too soon' : 'again';
}

/** Returns the final reply of a write that is too old to be sent. */
export function expiryOf(entry: Entry, nowMs: number): Reply | undefined {
  const ageMs = nowMs - entry.addedAtMs;
  if (entry.sent && isDoneTwice(entry) && ageMs > postRepeatedMs) return unknownOutcome;
  return ageMs > keptMs ? tooOld : undefined;
}

/** Returns the pause that the site asks for. */
export function requestedPauseMs(reply: Reply): number {
  return 'error' in reply ? (reply.error.data?.retryAfter ?? 0) * 1_000 : 0;
}

/** True until a time that was set; false if the clock was set back to before that. */
function isBefore(nowMs: number, { retryAtMs = 0, heldAtMs = 0 }: Partial<Pause>): boolean {
  return nowMs < retryAtMs && nowMs >= heldAtMs;
}

/** Lengthens the pause of a queue after an attempt without a response. */
export function backOff(pause: Pause, reply: Reply, clock: Pick<Clock, 'now' | 'random'>): void {
  pause.tries += 1;
  const ownMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (pause.tries - 1)) * (0.5 + clock.random() / 2);
  pause.heldAtMs = clock.now();
  pause.retryAtMs = pause.heldAtMs + Math.max(requestedPauseMs(reply), ownMs);
}

/** Pauses a queue of which another tab has just sent a write. */
export function backOffAfterOther(pause: Pause, nowMs: number): void {
  if (isBefore(nowMs + firstPauseMs, pause)) return;
  pause.heldAtMs = nowMs;
  pause.retryAtMs = nowMs + firstPauseMs;
}

/**
 * Returns the next writes of a queue, of `entries` oldest first. One that waits goes alone, so that
 * none overtakes it. Posts stay behind one that came too soon; AppData has no interval and goes on.
 */
export function nextToSend(entries: readonly Entry[], pause: Pause, nowMs: number): readonly Entry[] {
  if (isBefore(nowMs, pause)) return [];
  const open = entries.filter(({ done }) => done === undefined);
  const tooSoon = open.findIndex((entry) => hasInterval(entry) && isBefore(nowMs, entry));
  const able = tooSoon < 0 ? open : open.filter((entry, index) => index < tooSoon || !hasInterval(entry));
  const waiting = able.findIndex(({ waits }) => waits);
  return waiting < 0 ? able : able.slice(0, waiting || 1);
}

/** Returns the time at which a queue is due again, if anything waits for one. */
export function dueAtMs(entries: readonly Entry[], pause: Pause, nowMs: number): number | undefined {
  const open = entries.filter(({ done }) => done === undefined);
  const times = open.flatMap((entry) => [pause, entry]).filter((one) => isBefore(nowMs, one));
  return times.length === 0 ? undefined : Math.min(...times.map(({ retryAtMs = 0 }) => retryAtMs));
}

const unknownOutcome = failure(
  'OUTCOME_UNKNOWN',
  'The site could not be reached for two days, so it is unknown if this was posted.',
);
const tooOld = failure('UNAVAILABLE', 'The site could not be reached for thirty days.');
