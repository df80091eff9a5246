import { type AppRequest, failure } from '@gantry/bridge';
import type { Change, Clock, Observed, Reply, ReplyMeta } from '@gantry/wire';
import type { CallQueue, WriteSending } from './call-queue.ts';
import { createFlights } from './flights.ts';
import { offlineKeptMs, type ResultCache } from './result-cache.ts';
import type { Asked, Scope } from './scope.ts';
import type { Session } from './session.ts';
import type { TabMessage } from './tabs.ts';
import { createUnderstanding, type Read, type Write } from './understand.ts';
import type { KeptResult, Upkeep, UpkeepOptions } from './upkeep.ts';
import { createWatchers } from './watchers.ts';

/** A call that an app waits for. */
export interface OpenCall {
  /** Aborts when it is given up. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how the page will get the result; for tools. */
  readonly onDecision?: (decision: Extract<Observed, { kind: 'decision' }>['decision'], ageMs?: number) => void;
}

/** Answers requests from cached results, from calls already on their way, or through the queue. */
export interface Answers {
  /** A value, not a promise, where the answer is known. Never throws and never rejects. */
  answer(session: Session, request: AppRequest, open?: OpenCall): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before, until the returned function is called. Asks nothing itself. */
  watch(session: Session, request: AppRequest, push: (reply: Reply) => void): () => void;
  /** Fetches the part that keeps results right while things change. Rejects while the site is out of reach. */
  upkeep(): Promise<Upkeep>;
  /** Takes notice of changes that another page or member made. */
  invalidate(changes: readonly Change[]): void;
  /** Tells the other tabs. */
  tell(message: TabMessage): void;
  /**
   * Forgets results and pending writes of everybody but this viewer, and what the app got before the viewer took
   * something back or it replaced another one; without a scope, all of them.
   */
  purge(keep?: Scope): Promise<void>;
}

export function createAnswers(options: {
  readonly cache: ResultCache;
  readonly queue: CallQueue;
  readonly clock: Clock;
  readonly page: UpkeepOptions;
}): Answers {
  const { cache, queue, clock, page } = options;
  const flights = createFlights<Read>();
  const watchers = createWatchers<Read>();
  const understand = createUnderstanding();
  let upkeep: Upkeep | undefined;
  let loading: Promise<Upkeep> | undefined;

  function load(): Promise<Upkeep> {
    loading ??= import('./upkeep.ts').then(
      ({ createUpkeep }) => {
        upkeep = createUpkeep({ cache, queue, flights, watchers, clock, fetchRead, keptResult }, page);
        return upkeep;
      },
      (cause) => {
        loading = undefined; // whoever needs it next tries again
        throw cause;
      },
    );
    return loading;
  }

  function whenLoaded(use: (upkeep: Upkeep) => void): void {
    if (upkeep) use(upkeep);
    else load().then(use, () => undefined);
  }

  function fetchRead(read: Read, signal?: AbortSignal): Promise<Reply> {
    const { key, scope, request, session, sent } = read;
    return flights.join(
      key,
      read,
      async (flight) => {
        const reply = await queue.send(session, sent, { isWrite: false, signal: flight.signal });
        if ('error' in reply) return reply;
        const result = shownResult(read, reply.ok, { ageMs: 0, source: 'network' });
        if (flight.isCurrent) {
          cache.set(key, { scope, request, value: reply.ok, storedAtMs: clock.now() });
          watchers.push(key, result);
        }
        return result;
      },
      signal,
    );
  }

  function shownResult(read: Read, value: unknown, meta: ReplyMeta): KeptResult {
    const shown = upkeep === undefined ? value : upkeep.over(read, value);
    return { ok: shown, meta: shown === value ? meta : { ...meta, pending: true } };
  }

  /** What is kept for a read, if it is of an age to be shown. */
  function keptResult(read: Read, longestMs = read.policy.staleMs): KeptResult | undefined {
    const cached = cache.get(read.key);
    if (cached === undefined) return undefined;
    const ageMs = clock.now() - cached.storedAtMs;
    const { freshMs } = read.policy;
    if (ageMs < 0 || ageMs >= longestMs) return undefined; // below 0: the clock was set back
    const isFresh = ageMs < freshMs && cached.outdated === undefined;
    return shownResult(
      read,
      cached.value,
      isFresh ? { ageMs, source: 'cache' } : { ageMs, source: 'cache', stale: true },
    );
  }

  function answerRead(read: Read, open?: OpenCall): Reply | Promise<Reply> {
    const kept = keptResult(read);
    const isDue = kept?.meta.stale && cache.get(read.key)?.outdated === 'here' && !kept.meta.pending;
    if (kept === undefined || isDue) {
      open?.onDecision?.(flights.has(read.key) ? 'joined' : 'asked');
      return fetchOrKept(read, open?.signal);
    }
    const { stale, pending, ageMs } = kept.meta;
    open?.onDecision?.(pending ? 'optimistic' : stale ? 'stale' : 'fresh', ageMs);
    if (stale) void fetchRead(read);
    return kept;
  }

  /** For who wrote, and waits for what came of it, and where all is too old: the older result only if the site is out of reach. */
  async function fetchOrKept(read: Read, signal?: AbortSignal): Promise<Reply> {
    const reply = await fetchRead(read, signal);
    const isOutOfReach = 'error' in reply && reply.error.code >= 502 && reply.error.code <= 504;
    return isOutOfReach ? (keptResult(read, offlineKeptMs) ?? reply) : reply;
  }

  function write(asked: Write, options: WriteSending): Promise<Reply> {
    if (upkeep) return upkeep.write(asked, options);
    const loading = load();
    queue.hold?.(asked.session, loading);
    return loading.then(
      (loaded) => loaded.write(asked, options),
      () => failure('UNAVAILABLE', 'The site cannot be reached. Nothing was written.'),
    );
  }

  return {
    answer(session, request, open) {
      const asked = understand(session, request);
      if ('error' in asked) return asked;
      if ('key' in asked) return answerRead(asked, open);
      open?.onDecision?.('queued');
      return write(asked, { write: request.write, signal: open?.signal });
    },
    watch(session, request, push) {
      const asked = understand(session, request);
      if (!('key' in asked)) return () => undefined; // `answer` says why
      return watchers.add(asked.key, asked, { push, known: keptResult(asked) });
    },
    upkeep: load,
    invalidate: (changes) => whenLoaded(({ invalidate }) => invalidate(changes)),
    tell: (message) => whenLoaded(({ tell }) => tell(message)),
    async purge(keep) {
      const isOther = ({ scope: { viewer, app, since, upstream } }: Asked) =>
        keep === undefined ||
        viewer !== keep.viewer ||
        (app === keep.app && (since !== keep.since || upstream !== keep.upstream));
      flights.outdate(isOther);
      upkeep?.forget(isOther);
      await (keep === undefined ? cache.clear() : cache.drop(isOther));
    },
  };
}
