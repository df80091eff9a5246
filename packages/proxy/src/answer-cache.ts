import type { ChangeFeed } from '@gantry/store';
import { type Change, changesOf, operation, type Reply, requestKey } from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { Asking, Send } from './call-path.ts';
import { toldOf } from './changes.ts';

/** What a site said, for the cache to judge. */
export interface SiteReply {
  /** `unchanged`: what goes with the validator that was sent is still the answer. */
  readonly reply: Reply | 'unchanged';
  readonly etag: string | undefined;
  readonly mayKeep: boolean;
  /** How long the site need not be asked again. */
  readonly maxAgeMs: number;
}

/** @param etag Validator of what is known already. */
export type AskSite = (asking: Asking, etag: string | undefined) => Promise<SiteReply>;

/** How a read was answered: by what is kept, by what is kept and the site confirmed, by the site, or with another's request. */
export type CacheOutcome = 'kept' | 'confirmed' | 'asked' | 'joined';

interface Kept {
  readonly reply: Reply;
  readonly etag: string | undefined;
  readonly freshUntilMs: number;
  /** Of what it reads, when it was asked for. */
  readonly generation: number;
  readonly bytes: number;
}

interface Flight {
  readonly reply: Promise<Reply>;
  readonly generation: number;
}

export interface AnswerCache {
  readonly send: Send;
  close(): void;
}

/**
 * Keeps answers, of one upstream and in memory (security rule 14; docs/decisions/0022-the-proxys-cache.md): of what one
 * member asks through one app on one owner's page, and for nobody else. One request goes out at a time for one question. What
 * a site does not call fresh is confirmed by it before it is given, and a change of what was read, by a write through this
 * proxy or one that the log tells, ends freshness, as well as the requests that began before it.
 *
 * @param options.feed Of the log of changes, to which other processes write too.
 * @param options.maxBytes Of all answers together.
 */
export function createAnswerCache(options: {
  readonly askSite: AskSite;
  readonly textOf: (reply: Reply) => string;
  readonly feed: Pick<ChangeFeed, 'listen' | 'catchUp'>;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly observe?: ((outcome: CacheOutcome, asking: Asking) => void) | undefined;
}): AnswerCache {
  const { askSite, textOf, feed, maxBytes, now, observe } = options;
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const flights = new Map<string, Flight>();
  const generations = new Map<string, number>();
  const close = feed.listen(({ changes }) => outdate(toldOf(changes)));
  // What begins before it is known where the log ends could miss a change.
  const ready = feed.catchUp().catch(() => undefined);

  function outdate(changes: readonly Change[]): void {
    for (const { topic, app } of changes) {
      const scope = scopeOf(topic, app);
      generations.set(scope, (generations.get(scope) ?? 0) + 1);
    }
  }

  // It only grows, whether the change was of one app's AppData or of everybody's.
  function generationOf({ request, asker }: Asking): number {
    const { topic } = operation(request.operation);
    const ofApp = topic === 'appData' ? (generations.get(scopeOf(topic, asker.app)) ?? 0) : 0;
    return (generations.get(topic) ?? 0) + ofApp;
  }

  /** Nothing of it has changed since, in any process, as far as anybody could know when this was called. */
  async function isCurrent(asking: Asking, { generation }: Kept | Flight): Promise<boolean> {
    try {
      await feed.catchUp();
    } catch {
      return false;
    }
    return generationOf(asking) === generation;
  }

  async function write(asking: Asking): Promise<Reply> {
    try {
      const { reply } = await askSite(asking, undefined);
      return reply as Reply; // nothing was known that could be unchanged
    } finally {
      outdate(changesOf(asking.request, asking.asker.app)); // also where it failed: it may have been done all the same
    }
  }

  async function ask(asking: Asking, key: string, generation: number): Promise<Reply> {
    const known = kept.get(key);
    const answer = await askSite(asking, known?.etag);
    const isUnchanged = answer.reply === 'unchanged';
    const reply = answer.reply === 'unchanged' ? (known as Kept).reply : answer.reply;
    const { mayKeep, etag, maxAgeMs } = answer;
    if (mayKeep && 'ok' in reply && (etag !== undefined || maxAgeMs > 0)) {
      const bytes = 2 * (key.length + textOf(reply).length);
      kept.set(key, { reply, etag, freshUntilMs: now() + maxAgeMs, generation, bytes });
    } else kept.delete(key);
    observe?.(isUnchanged ? 'confirmed' : 'asked', asking);
    return reply;
  }

  async function read(asking: Asking): Promise<Reply> {
    await ready;
    const key = keyOf(asking);
    const known = kept.get(key);
    const isFresh = known && now() < known.freshUntilMs && known.generation === generationOf(asking);
    if (isFresh && (await isCurrent(asking, known))) {
      observe?.('kept', asking);
      return known.reply;
    }
    const flight = flights.get(key);
    if (flight && flight.generation === generationOf(asking) && (await isCurrent(asking, flight))) {
      observe?.('joined', asking);
      return flight.reply;
    }
    const latest = flights.get(key);
    if (latest && latest !== flight) {
      observe?.('joined', asking); // it began after this was asked
      return latest.reply;
    }
    return begin(asking, key);
  }

  function begin(asking: Asking, key: string): Promise<Reply> {
    const generation = generationOf(asking);
    const begun: Flight = {
      generation,
      reply: ask(asking, key, generation).finally(() => {
        if (flights.get(key) === begun) flights.delete(key);
      }),
    };
    flights.set(key, begun);
    return begun.reply;
  }

  return {
    close,
    send: (asking) => (asking.request.method === 'GET' ? read(asking) : write(asking)),
  };
}

/** Whose answer it is, and to what. The upstream and the format are the same for everything here. */
function keyOf({ request, asker, consumer, access }: Asking): string {
  return JSON.stringify([
    consumer.key,
    asker.app,
    access.app.registration,
    asker.viewer,
    asker.owner,
    requestKey(request),
  ]);
}

// AppData of one app cannot be seen through another.
function scopeOf(topic: string, app: string | undefined): string {
  return topic === 'appData' && app !== undefined ? `${topic} ${app}` : topic;
}
