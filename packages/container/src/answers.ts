import type { AppRequest, OpenRequest } from '@gantry/bridge';
import { type Change, changesOf, dependsOn, type Reply, type ReplyMeta, type WireError } from '@gantry/wire';
import type { CallQueue } from './call-queue.ts';
import { createFlights } from './flights.ts';
import { createPendingWrites, type PendingWrite } from './pending-writes.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import type { Asked, Scope } from './scope.ts';
import type { Session } from './session.ts';
import { createUnderstanding, type Read, type Write } from './understand.ts';
import { createWatchers } from './watchers.ts';

/** Answers requests from cached results, from calls already on their way, or through the queue. */
export interface Answers {
  /** A value, not a promise, where the answer is known. Never throws and never rejects. */
  answer(session: Session, request: AppRequest, open?: OpenRequest): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before, until the returned function is called. Asks nothing itself. */
  watch(session: Session, request: AppRequest, push: (reply: Reply) => void): () => void;
  /**
   * Shows at once what a write will do, until the returned function gets the write's reply: then results are what the
   * site made of it. That resolves when no page of this browser can take for fresh what the write made stale.
   */
  pend(write: PendingWrite): (reply: Reply) => Promise<void>;
  /**
   * Takes notice of changes that another page or member made: results that depend on them are stale, and those that
   * are watched are asked again.
   */
  invalidate(changes: readonly Change[]): void;
  /** Asks again for what is watched and not fresh any more. */
  refresh(): void;
  /** Forgets results and pending writes of everybody but this viewer; without a viewer, all of them. */
  purge(keep?: Pick<Scope, 'viewer'>): Promise<void>;
}

/** A write that was shown and is not any more: it failed, or nobody knows whether it was done. */
export interface Rollback {
  /** The call as the app wrote it. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: WireError;
}

type Result = { readonly ok: unknown; readonly meta: ReplyMeta };

// Failed between page and service: nobody knows whether it was done.
const unreachable: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * @param options.isHidden True while nobody sees the page: what is watched waits for `refresh` then.
 * @param options.onChanges Writes of this page that were done, or may have been.
 */
export function createAnswers(options: {
  readonly cache: ResultCache;
  readonly queue: CallQueue;
  readonly now: () => number;
  readonly isHidden: () => boolean;
  readonly onRollback: (session: Session, rollback: Rollback) => void;
  readonly onChanges: (changes: readonly Change[]) => void;
}): Answers {
  const { cache, queue, now, isHidden, onRollback, onChanges } = options;
  const flights = createFlights<Read>();
  const watchers = createWatchers<Read>();
  const pending = createPendingWrites();
  const understand = createUnderstanding();
  let writes = 0;

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
          cache.set(key, { scope, request, value: reply.ok, storedAtMs: now() });
          watchers.push(key, result);
        }
        return result;
      },
      signal,
    );
  }

  function shownResult(read: Read, value: unknown, meta: ReplyMeta): Result {
    const shown = pending.over(read, value);
    return { ok: shown, meta: shown === value ? meta : { ...meta, pending: true } };
  }

  /** What is kept for a read, if it is of an age to be shown. */
  function keptResult(read: Read): Result | undefined {
    const cached = cache.get(read.key);
    if (cached === undefined) return undefined;
    const ageMs = now() - cached.storedAtMs;
    const { freshMs, staleMs } = read.policy;
    if (ageMs < 0 || ageMs >= staleMs) return undefined; // below 0: the clock was set back
    const isFresh = ageMs < freshMs && cached.outdated === undefined;
    return shownResult(
      read,
      cached.value,
      isFresh ? { ageMs, source: 'cache' } : { ageMs, source: 'cache', stale: true },
    );
  }

  function answerRead(read: Read, open?: OpenRequest): Reply | Promise<Reply> {
    const kept = keptResult(read);
    if (kept === undefined) return fetchRead(read, open?.signal);
    if (!kept.meta.stale) return kept;
    if (cache.get(read.key)?.outdated === 'here' && !kept.meta.pending) return fetchOrKept(read, open?.signal);
    void fetchRead(read);
    return kept;
  }

  /** Who wrote waits for what came of it (read your writes), and gets the older result only where the site is out of reach. */
  async function fetchOrKept(read: Read, signal?: AbortSignal): Promise<Reply> {
    const reply = await fetchRead(read, signal);
    return 'error' in reply && unreachable.has(reply.error.code) ? (keptResult(read) ?? reply) : reply;
  }

  function outdate(isStale: (asked: Asked) => boolean, outdated: Outdated): Promise<void> {
    return cache.revise((result) =>
      result.outdated === 'here' || result.outdated === outdated || !isStale(result) ? result : { ...result, outdated },
    );
  }

  function invalidate(changes: readonly Change[], by: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    flights.outdate(isStale);
    const marked = outdate(isStale, by);
    if (!isHidden()) for (const read of watchers.watched(isStale)) void fetchRead(read);
    return marked;
  }

  function pend(write: PendingWrite): (reply: Reply) => Promise<void> {
    const changes = changesOf(write.request, write.scope.app);
    const touched = () => watchers.watched(dependentOn(changes));
    // Already now: who leaves the page before the answer must not find the old result fresh later.
    void outdate(dependentOn(changes), 'here');
    pending.add(write);
    void pending.load().then(() => {
      for (const read of touched()) pushKept(read);
    });
    return async (reply) => {
      pending.remove((other) => other === write);
      const isDone = 'ok' in reply;
      if (isDone) {
        void cache.revise((result) => {
          const value = pending.done(write, result, reply.ok);
          return value === result.value ? result : { ...result, value };
        });
      }
      for (const read of touched()) if (!pushKept(read)) void fetchRead(read);
      if (!isDone && !isUnknown(reply.error)) return;
      onChanges(changes);
      await invalidate(changes, 'here');
    };
  }

  function pushKept(read: Read): boolean {
    const kept = keptResult(read);
    if (kept) watchers.push(read.key, kept);
    return kept !== undefined;
  }

  /** A write is never joined and never repeated. */
  async function write({ scope, request, session, sent }: Write, signal?: AbortSignal): Promise<Reply> {
    writes += 1;
    const settle = pend({ id: String(writes), scope, request, atMs: now() });
    const reply = await queue.send(session, sent, { isWrite: true, signal });
    await settle(reply);
    if ('error' in reply) onRollback(session, { ...sent, error: reply.error });
    return reply;
  }

  return {
    answer(session, request, open) {
      const asked = understand(session, request);
      if ('error' in asked) return asked;
      return 'key' in asked ? answerRead(asked, open) : write(asked, open?.signal);
    },
    watch(session, request, push) {
      const asked = understand(session, request);
      if (!('key' in asked)) return () => undefined; // `answer` says why
      void pending.load();
      return watchers.add(asked.key, asked, { push, known: keptResult(asked)?.ok });
    },
    pend,
    invalidate: (changes) => void invalidate(changes, 'elsewhere'),
    refresh() {
      for (const read of watchers.watched(() => true))
        if (keptResult(read)?.meta.stale !== undefined) void fetchRead(read);
    },
    async purge(keep) {
      const isOther = ({ scope }: Asked) => keep === undefined || scope.viewer !== keep.viewer;
      flights.outdate(isOther);
      pending.remove(isOther);
      await (keep === undefined ? cache.clear() : cache.drop(isOther));
    },
  };
}

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}

function isUnknown({ code }: WireError): boolean {
  return code === 499 || unreachable.has(code); // 499: given up
}
