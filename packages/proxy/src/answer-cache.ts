import { operation, type Reply, requestKey } from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { Asking, Send } from './call-path.ts';

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
  /** Of the topic, when it was asked for. */
  readonly generation: number;
  readonly bytes: number;
}

interface Flight {
  readonly reply: Promise<Reply>;
  readonly generation: number;
}

/**
 * Keeps answers, of one upstream and in memory (security rule 14; docs/decisions/0022-the-proxys-cache.md): of what one
 * member asks through one app on one owner's page, and for nobody else. One request goes out at a time for one question. What
 * a site does not call fresh is confirmed by it before it is given, and a write through this proxy ends the freshness
 * of what it touches, as well as the requests that began before it.
 *
 * @param options.maxBytes Of all answers together.
 */
export function createAnswerCache(options: {
  readonly askSite: AskSite;
  readonly textOf: (reply: Reply) => string;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly observe?: ((outcome: CacheOutcome) => void) | undefined;
}): Send {
  const { askSite, textOf, maxBytes, now, observe } = options;
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const flights = new Map<string, Flight>();
  const generations = new Map<string, number>();

  async function write(asking: Asking): Promise<Reply> {
    try {
      const { reply } = await askSite(asking, undefined);
      return reply as Reply; // nothing was known that could be unchanged
    } finally {
      // Also where it failed: it may have been done all the same.
      for (const topic of operation(asking.request.operation).stales ?? []) {
        const scope = scopeOf(topic, asking);
        generations.set(scope, (generations.get(scope) ?? 0) + 1);
      }
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
    observe?.(isUnchanged ? 'confirmed' : 'asked');
    return reply;
  }

  function read(asking: Asking): Promise<Reply> {
    const key = keyOf(asking);
    const generation = generations.get(scopeOf(operation(asking.request.operation).topic, asking)) ?? 0;
    const known = kept.get(key);
    if (known && known.generation === generation && now() < known.freshUntilMs) {
      observe?.('kept');
      return Promise.resolve(known.reply);
    }
    const flight = flights.get(key);
    if (flight?.generation === generation) {
      observe?.('joined');
      return flight.reply;
    }
    const begun: Flight = {
      generation,
      reply: ask(asking, key, generation).finally(() => {
        if (flights.get(key) === begun) flights.delete(key);
      }),
    };
    flights.set(key, begun);
    return begun.reply;
  }

  return (asking) => (asking.request.method === 'GET' ? read(asking) : write(asking));
}

/** Whose answer it is, and to what. The upstream and the format are the same for everything here. */
function keyOf({ request, asker, consumer }: Asking): string {
  return JSON.stringify([consumer.key, asker.app, asker.viewer, asker.owner, requestKey(request)]);
}

// AppData of one app cannot be seen through another.
function scopeOf(topic: string, { asker }: Asking): string {
  return topic === 'appData' ? `${topic} ${asker.app}` : topic;
}
