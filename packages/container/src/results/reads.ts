import type { Reply, ReplyMeta } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue } from '../calls/call-queue.ts';
import { type Asked, isAllowed } from '../calls/scope.ts';
import type { WriteGate } from '../calls/write-gate.ts';
import type { OpenCall } from '../gadget.ts';
import type { Read } from './parse-request.ts';
import { createReadsInFlight, type ReadInFlight } from './reads-in-flight.ts';
import { offlineKeptMs, type ResultCache } from './result-cache.ts';
import { createWatchers, type SuccessReply } from './watchers.ts';

/** A result of the cache with its age. */
export type KeptResult = SuccessReply & { readonly meta: ReplyMeta };

/** Reads of a page: from cached results, from calls already in flight, or through the queue. */
export type Reads = ReturnType<typeof createReads>;

/** @param options.overlay Lays pending writes over a result of the site. */
export function createReads(options: {
  readonly cache: ResultCache;
  readonly queue: CallQueue;
  readonly gate: WriteGate;
  readonly clock: Pick<Clock, 'now'>;
  readonly overlay: (read: Asked, value: unknown) => unknown;
}) {
  const { cache, queue, gate, clock, overlay } = options;
  const inFlight = createReadsInFlight<Read>(send);
  const watchers = createWatchers<Read>();

  async function send(read: Read, inFlightRead: ReadInFlight): Promise<Reply> {
    const { key, scope, request, session, sent } = read;
    const writes = gate.wait(session);
    if (writes !== undefined) await writes;
    const reply = await queue.send(session, sent, { isWrite: false, signal: inFlightRead.signal });
    if ('error' in reply) return reply;
    const result = shownResult(read, reply.ok, { ageMs: 0, source: 'network' });
    if (inFlightRead.isCurrent) {
      cache.set(key, { scope, request, value: reply.ok, storedAtMs: clock.now() });
      watchers.push(read, result);
    }
    return result;
  }

  function shownResult(read: Read, value: unknown, meta: ReplyMeta): KeptResult {
    const view = overlay(read, value);
    return { ok: view, meta: view === value ? meta : { ...meta, pending: true } };
  }

  function kept(read: Read, longestMs = read.policy.staleMs): KeptResult | undefined {
    const cached = cache.get(read.key);
    if (cached === undefined || !isAllowed(read.session.rights, read.needs)) return undefined;
    const ageMs = clock.now() - cached.storedAtMs;
    if (ageMs < 0 || ageMs >= longestMs) return undefined; // below 0: the clock was set back
    const isFresh = ageMs < read.policy.freshMs && cached.outdated === undefined;
    return shownResult(
      read,
      cached.value,
      isFresh ? { ageMs, source: 'cache' } : { ageMs, source: 'cache', stale: true },
    );
  }

  /** Fetches; an older result is the reply only while the site is out of reach. */
  async function fetchOrKept(read: Read, signal?: AbortSignal): Promise<Reply> {
    const reply = await inFlight.join(read, signal);
    const isOutOfReach = 'error' in reply && reply.error.code >= 502 && reply.error.code <= 504;
    return isOutOfReach ? (kept(read, offlineKeptMs) ?? reply) : reply;
  }

  return {
    /** Asks the site, or joins a read in flight. */
    fetch: (read: Read): Promise<Reply> => inFlight.join(read),
    /** Returns the cached result of a read, if it is of an age to be shown. */
    kept: (read: Read): KeptResult | undefined => kept(read),
    /** Returns a value, not a promise, where the reply is known. Never throws and never rejects. */
    answer(read: Read, open?: OpenCall): Reply | Promise<Reply> {
      const result = kept(read);
      const isDue = result?.meta.stale && cache.get(read.key)?.outdated === 'here' && !result.meta.pending;
      if (result === undefined || isDue) {
        open?.onDecision?.(inFlight.has(read) ? 'joined' : 'asked');
        return fetchOrKept(read, open?.signal);
      }
      const { stale, pending, ageMs } = result.meta;
      open?.onDecision?.(pending ? 'optimistic' : stale ? 'stale' : 'fresh', ageMs);
      if (stale) void inFlight.join(read);
      return result;
    },
    /**
     * Pushes each result that differs from the one before, until the returned function is called.
     */
    watch: (read: Read, push: (reply: Reply) => void): (() => void) => watchers.add(read, push, kept(read)),
    /** Pushes the cached result to watchers. Returns false where there is none. */
    pushKept(read: Read): boolean {
      const result = kept(read);
      if (result) watchers.push(read, result);
      return result !== undefined;
    },
    /** Returns the reads that are watched, each once. */
    watched: watchers.watched,
    /** Makes later calls start anew; calls in flight still get their reply. */
    outdate: inFlight.outdate,
  };
}
