import type { AppRequest, OpenRequest } from '@gantry/bridge';
import {
  type CachePolicy,
  type Change,
  changesOf,
  dependsOn,
  operation,
  type Reply,
  type RequestParams,
  type ResourceRequest,
  resolveRequest,
  SocialError,
} from '@gantry/wire';
import type { CallQueue } from './call-queue.ts';
import { type Failure, failureOf } from './failure.ts';
import { createFlights } from './flights.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import { type Asked, resultKey, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { createWatchers } from './watchers.ts';

/** Answers requests from cached results, from calls already on their way, or through the queue. */
export interface Answers {
  /** A value, not a promise, where the answer is known. Never throws and never rejects. */
  answer(session: Session, request: AppRequest, open?: OpenRequest): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before, until the returned function is called. Asks nothing itself. */
  watch(session: Session, request: AppRequest, push: (reply: Reply) => void): () => void;
  /**
   * Takes notice of changes that another page or member made: results that depend on them are stale, and those that
   * are watched are asked again.
   */
  invalidate(changes: readonly Change[]): void;
  /** Forgets every result that is not this viewer's; without a viewer, all of them. */
  purge(keep?: Pick<Scope, 'viewer'>): void;
}

interface Read extends Asked {
  readonly key: string;
  readonly policy: CachePolicy;
  readonly session: Session;
  /** As the app wrote it. */
  readonly sent: ResourceRequest;
}

interface Write extends Asked {
  readonly session: Session;
  readonly sent: ResourceRequest;
}

const maxKnownReads = 500; // of one gadget

// Given up, or failed between page and service: whether it was done is unknown.
const unknownOutcomes: ReadonlySet<number> = new Set([499, 502, 503, 504]);

export function createAnswers(options: {
  readonly cache: ResultCache;
  readonly queue: CallQueue;
  readonly now: () => number;
}): Answers {
  const { cache, queue, now } = options;
  const flights = createFlights<Read>();
  const watchers = createWatchers<Read>();
  const reads = new WeakMap<Session, Map<string, Read>>();

  function fetchRead(read: Read, signal?: AbortSignal): Promise<Reply> {
    const { key, scope, request, session, sent } = read;
    return flights.join(
      key,
      read,
      async (flight) => {
        const reply = await queue.send(session, sent, { isWrite: false, signal: flight.signal });
        if ('error' in reply) return reply;
        const result: Reply = { ok: reply.ok, meta: { ageMs: 0, source: 'network' } };
        if (flight.isCurrent) {
          cache.set(key, { scope, request, value: reply.ok, storedAtMs: now() });
          watchers.push(key, result);
        }
        return result;
      },
      signal,
    );
  }

  function answerRead(read: Read, open?: OpenRequest): Reply | Promise<Reply> {
    const cached = cache.get(read.key);
    if (cached === undefined) return fetchRead(read, open?.signal);
    const ageMs = now() - cached.storedAtMs;
    const { freshMs, staleMs } = read.policy;
    if (ageMs < 0 || ageMs >= staleMs) return fetchRead(read, open?.signal); // below 0: the clock was set back
    if (cached.outdated === 'here') return fetchRead(read, open?.signal);
    if (ageMs < freshMs && cached.outdated === undefined) return { ok: cached.value, meta: { ageMs, source: 'cache' } };
    void fetchRead(read);
    return { ok: cached.value, meta: { ageMs, source: 'cache', stale: true } };
  }

  function invalidate(changes: readonly Change[], by: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    flights.outdate(isStale);
    const marked = cache.outdate(isStale, by);
    for (const read of watchers.watched(isStale)) void fetchRead(read);
    return marked;
  }

  /** A write is never joined and never repeated. What it makes stale is marked before its caller hears of it. */
  async function write({ scope, request, session, sent }: Write, signal?: AbortSignal): Promise<Reply> {
    const changes = changesOf(request, scope.app);
    // Already now: who leaves the page before the answer must not find the old result later.
    void cache.outdate(dependentOn(changes), 'here');
    const reply = await queue.send(session, sent, { isWrite: true, signal });
    if ('error' in reply && !unknownOutcomes.has(reply.error.code)) return reply;
    await invalidate(changes, 'here');
    return reply;
  }

  /** What an app's request means. Apps repeat themselves, so a read is worked out once for each text. */
  function understand(session: Session, { operation: name, params }: AppRequest): Read | Write | Failure {
    const text = `${name} ${params}`;
    const known = reads.get(session)?.get(text);
    if (known !== undefined) return known;
    const { scope } = session;
    try {
      const sent = { operation: name, params: paramsOf(params) };
      const { app, viewer, owner } = scope;
      const request = resolveRequest(sent, { app, viewer: viewer ?? undefined, owner: owner ?? undefined });
      const policy = operation(request.operation).cache;
      if (policy === undefined) return { scope, request, session, sent };
      const read = { key: resultKey(scope, request), scope, request, policy, session, sent };
      remember(session, text, read);
      return read;
    } catch (error) {
      return failureOf(error);
    }
  }

  function remember(session: Session, text: string, read: Read): void {
    let known = reads.get(session);
    if (known === undefined || known.size === maxKnownReads) {
      known = new Map();
      reads.set(session, known);
    }
    known.set(text, read);
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
      return watchers.add(asked.key, asked, { push, known: cache.get(asked.key)?.value });
    },
    invalidate: (changes) => void invalidate(changes, 'elsewhere'),
    purge(keep) {
      const isOther = ({ scope }: Asked) => keep === undefined || scope.viewer !== keep.viewer;
      flights.outdate(isOther);
      void cache.drop(isOther);
    },
  };
}

/** @throws SocialError BAD_REQUEST for text that is not a JSON object. */
function paramsOf(text: string): RequestParams {
  let params: unknown;
  try {
    params = JSON.parse(text);
  } catch {
    // said below
  }
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) return params as RequestParams;
  throw new SocialError('BAD_REQUEST', 'The parameters of a call must be the JSON text of an object.');
}

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}
