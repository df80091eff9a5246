import type { AppRequest, OpenRequest } from '@gantry/bridge';
import {
  type CachePolicy,
  type OperationId,
  operation,
  type Reply,
  type RequestParams,
  type ResourceRequest,
  resolveRequest,
  SocialError,
  type Topic,
} from '@gantry/wire';
import type { CallQueue } from './call-queue.ts';
import { type Failure, failureOf } from './failure.ts';
import { createFlights } from './flights.ts';
import type { ResultCache } from './result-cache.ts';
import { resultKey, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { createWatchers } from './watchers.ts';

/** Answers requests from cached results, from calls already on their way, or through the queue. */
export interface Answers {
  /** A value, not a promise, where the answer is known. Never throws and never rejects. */
  answer(session: Session, request: AppRequest, open?: OpenRequest): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before, until the returned function is called. Asks nothing itself. */
  watch(session: Session, request: AppRequest, push: (reply: Reply) => void): () => void;
  /** Forgets every result that is not this viewer's; without a viewer, all of them. */
  purge(keep?: Pick<Scope, 'viewer'>): void;
}

/** A read, with everything that decides what may answer it. */
interface Read {
  readonly key: string;
  readonly scope: Scope;
  readonly operation: OperationId;
  readonly policy: CachePolicy;
  readonly session: Session;
  readonly request: ResourceRequest;
}

interface Write {
  readonly operation: OperationId;
  readonly session: Session;
  readonly request: ResourceRequest;
}

const maxKnownReads = 500; // of one gadget

// What one app writes here, others read; AppData is each app's own.
const sharedTopics: ReadonlySet<Topic> = new Set(['activities']);
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
    const { key, scope, session, request } = read;
    return flights.join(
      key,
      read,
      async (flight) => {
        const reply = await queue.send(session, request, { isWrite: false, signal: flight.signal });
        if ('error' in reply) return reply;
        const result: Reply = { ok: reply.ok, meta: { ageMs: 0, source: 'network' } };
        if (flight.isCurrent) {
          cache.set(key, { scope, operation: read.operation, value: reply.ok, storedAtMs: now() });
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
    if (ageMs >= freshMs) void fetchRead(read);
    return { ok: cached.value, meta: { ageMs, source: 'cache' } };
  }

  /** A write is never joined and never repeated. What it makes stale is gone before its caller hears of it. */
  async function write({ session, request, operation: id }: Write, signal?: AbortSignal): Promise<Reply> {
    const isStale = madeStaleBy(session.scope, operation(id).stales ?? []);
    void cache.drop(isStale); // already now: who leaves the page before the answer must not find the old result later
    const reply = await queue.send(session, request, { isWrite: true, signal });
    if ('error' in reply && !unknownOutcomes.has(reply.error.code)) return reply;
    flights.outdate(isStale);
    await cache.drop(isStale);
    for (const read of watchers.watched(isStale)) void fetchRead(read);
    return reply;
  }

  /** What an app's request means. Apps repeat themselves, so a read is worked out once for each text. */
  function understand(session: Session, { operation: name, params }: AppRequest): Read | Write | Failure {
    const text = `${name} ${params}`;
    const known = reads.get(session)?.get(text);
    if (known !== undefined) return known;
    const { scope } = session;
    try {
      const request = { operation: name, params: paramsOf(params) };
      const { app, viewer, owner } = scope;
      const found = resolveRequest(request, { app, viewer: viewer ?? undefined, owner: owner ?? undefined });
      const policy = operation(found.operation).cache;
      if (policy === undefined) return { operation: found.operation, session, request };
      const read = { key: resultKey(scope, found), scope, operation: found.operation, policy, session, request };
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
    purge(keep) {
      const isOther = ({ scope }: { readonly scope: Scope }) => keep === undefined || scope.viewer !== keep.viewer;
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

/** Which results a successful write makes stale: those of its topics, viewer and app, and of all apps where they share. */
function madeStaleBy(scope: Scope, topics: readonly Topic[]) {
  return (result: { readonly scope: Scope; readonly operation: OperationId }): boolean => {
    const { topic } = operation(result.operation);
    return (
      topics.includes(topic) &&
      result.scope.upstream === scope.upstream &&
      result.scope.viewer === scope.viewer &&
      (sharedTopics.has(topic) || result.scope.app === scope.app)
    );
  };
}
