import type { ChangeFeed } from '@gantry/store';
import { type Change, changesOf, operation, type Reply, requestKey } from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { CallContext, Foresee, Send } from '../call-path.ts';
import { toWireChanges } from '../events/changes.ts';
import type { Ports } from '../ports.ts';

/** An upstream's reply, with what decides how long the cache keeps it. */
export interface UpstreamReply {
  /** `unchanged`: the reply of the validator that was sent is still valid. */
  readonly reply: Reply | 'unchanged';
  readonly etag: string | undefined;
  readonly mayKeep: boolean;
  /** Time in which the reply needs no validation. */
  readonly maxAgeMs: number;
}

/** Requests a reply of the upstream. @param etag Validator of the cached reply. */
export type FetchReply = (context: CallContext, etag: string | undefined) => Promise<UpstreamReply>;

interface CachedReply {
  readonly reply: Reply;
  readonly etag: string | undefined;
  readonly freshUntilMs: number;
  /** Generation of its scope when it was requested. */
  readonly generation: number;
  readonly bytes: number;
}

interface Flight {
  readonly reply: Promise<Reply>;
  readonly generation: number;
}

/**
 * Caches the replies of one upstream in memory, apart by app, viewer and owner (security rule 14;
 * docs/decisions/0022-the-proxys-cache.md). Equal reads share one request. Stale replies are
 * validated before use. A change, by a write through this proxy or in the change log, makes replies
 * stale and ends the sharing of earlier requests.
 *
 * @param options.feed Reads the change log, to which other processes write too.
 */
export function createReplyCache(
  options: Pick<Ports, 'now' | 'observe'> & {
    readonly fetchReply: FetchReply;
    /** Resolves with whether a cached reply is valid now; false if that is unknown. */
    readonly confirm?: ((read: KeyedRead, etag: string) => Promise<boolean>) | undefined;
    readonly jsonOf: (reply: Reply) => string;
    readonly feed: Pick<ChangeFeed, 'listen' | 'catchUp'>;
    readonly maxBytes: number;
  },
): { readonly send: Send; readonly foresee: Foresee; close(): void } {
  const { fetchReply, confirm, jsonOf, feed, maxBytes, now, observe } = options;
  const cached = new LRUCache<string, CachedReply>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const flights = new Map<string, Flight>();
  const generations = new Map<string, number>();
  const close = feed.listen(({ changes }) => invalidate(toWireChanges(changes)));
  // Reads wait for the log's end: earlier ones could miss a change.
  const ready = feed.catchUp().catch(() => undefined);

  function invalidate(changes: readonly Change[]): void {
    for (const { topic, app } of changes) {
      const scope = scopeOf(topic, app);
      generations.set(scope, (generations.get(scope) ?? 0) + 1);
    }
  }

  // A sum of counters that only grow, so it changes with either.
  function generationOf({ request, asker }: CallContext): number {
    const { topic } = operation(request.operation);
    const ofApp = topic === 'appData' ? (generations.get(scopeOf(topic, asker.app)) ?? 0) : 0;
    return (generations.get(topic) ?? 0) + ofApp;
  }

  /** Resolves with whether nothing it depends on has changed, in any process, before this call. */
  async function isCurrent(context: CallContext, { generation }: CachedReply | Flight): Promise<boolean> {
    try {
      await feed.catchUp();
    } catch {
      return false;
    }
    return generationOf(context) === generation;
  }

  async function write(context: CallContext): Promise<Reply> {
    try {
      const { reply } = await fetchReply(context, undefined);
      return reply as Reply; // never `unchanged` without a validator
    } finally {
      invalidate(changesOf(context.request, context.asker.app)); // a failed write may have been executed
    }
  }

  function foresee(read: KeyedRead): ReturnType<Foresee> {
    const last = cached.get(keyOf(read));
    if (confirm === undefined || last?.etag === undefined) return undefined;
    return { reply: last.reply, isValid: confirm(read, last.etag).catch(() => false) };
  }

  async function ask(context: CallContext, key: string, generation: number): Promise<Reply> {
    const last = cached.get(key);
    const { reply: answer, mayKeep, etag, maxAgeMs } = await fetchReply(context, last?.etag);
    const reply = answer === 'unchanged' ? (last as CachedReply).reply : answer;
    if (mayKeep && 'ok' in reply && (etag !== undefined || maxAgeMs > 0)) {
      const bytes = 2 * (key.length + jsonOf(reply).length);
      cached.set(key, { reply, etag, freshUntilMs: now() + maxAgeMs, generation, bytes });
    } else cached.delete(key);
    observe?.cache?.(answer === 'unchanged' ? 'confirmed' : 'asked', context);
    return reply;
  }

  async function read(context: CallContext): Promise<Reply> {
    await ready;
    const { foreseen, access } = context;
    const key = keyOf({ ...context, registration: access.app.registration });
    const last = cached.get(key);
    // Valid after this read arrived. Others may not share it: they may have arrived later.
    if (foreseen && foreseen.reply === last?.reply && (await foreseen.isValid)) {
      observe?.cache?.('confirmed', context);
      return foreseen.reply;
    }
    const isFresh = last && now() < last.freshUntilMs && last.generation === generationOf(context);
    if (isFresh && (await isCurrent(context, last))) {
      observe?.cache?.('kept', context);
      return last.reply;
    }
    const flight = flights.get(key);
    const isShared = flight?.generation === generationOf(context) && (await isCurrent(context, flight));
    const latest = flights.get(key);
    const joined = isShared ? flight : latest; // `latest` may have begun after this read
    if (joined && (isShared || joined !== flight)) {
      observe?.cache?.('joined', context);
      return joined.reply;
    }
    const generation = generationOf(context);
    const begun: Flight = {
      generation,
      reply: ask(context, key, generation).finally(() => {
        if (flights.get(key) === begun) flights.delete(key);
      }),
    };
    flights.set(key, begun);
    return begun.reply;
  }

  return {
    close,
    foresee,
    send: (context) => (context.request.method === 'GET' ? read(context) : write(context)),
  };
}

type KeyedRead = Parameters<Foresee>[0];

// Upstream and format are the same for all entries.
function keyOf({ request, asker, consumer, registration }: KeyedRead): string {
  const { app, viewer, owner } = asker;
  return JSON.stringify([consumer.key, app, registration, viewer, owner, requestKey(request)]);
}

// AppData belongs to one app.
function scopeOf(topic: string, app: string | undefined): string {
  return topic === 'appData' && app !== undefined ? `${topic} ${app}` : topic;
}

/** Makes a `JSON.stringify` for replies that serializes each, cached or shared, once. */
export function createReplyJson(): (reply: Reply) => string {
  const texts = new WeakMap<Reply, string>();

  return (reply) => {
    const text = texts.get(reply) ?? JSON.stringify(reply);
    texts.set(reply, text);
    return text;
  };
}
