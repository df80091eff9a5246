import { AsyncResource } from 'node:async_hooks';
import { createListeners, type Listener, seal, unseal } from '@gantry/store';
import { type EventsEnd, type EventsRequest, type PageViewer, SocialError, type WireError } from '@gantry/wire';
import { createRateLimit } from '@gantry/wire/runtime';
import * as v from 'valibot';
import { tokensSchema } from '../calls/call-body.ts';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { identifyGadgets } from '../gadgets/identify-gadgets.ts';
import { readBody } from '../http/container-request.ts';
import type { Endpoint } from '../http/page-request.ts';
import { jsonAnswer, privateHeaders } from '../http/responses.ts';
import { listOf } from '../http/validate.ts';
import type { Ports } from '../ports.ts';
import { allChanges, audienceOf, type ChangeSource, distinctChanges, toWireChanges } from './changes.ts';
import { createEventStreams } from './event-streams.ts';

export interface EventLimits {
  readonly streams: number;
  /** Streams of one member. A browser opens one, or one per page without Web Locks. */
  readonly ofViewer: number;
}

const defaultLimits: EventLimits = { streams: 4_000, ofViewer: 30 };

/** Openings of streams of one member. */
const openings = { perMinute: 120, burst: 240 };

/**
 * Openings of one member that catch up with much. Beyond it everything is stale, which costs the
 * server nothing; as of a page that missed too much.
 */
const catchUps = { perMinute: 30, burst: 30 };
const fewMissed = 50;
const mostMissed = 500;

const bodySchema = v.object(
  {
    tokens: tokensSchema, // a page with more gadgets opens several streams
    since: listOf(v.pipe(v.string('text'), v.maxLength(256, 'at most 256 characters')), 300, 1),
  },
  'an object with tokens and since',
);

// VIEWER_CHANGED, since there was a viewer when the page requested its tokens.
const noViewer: WireError = { code: 401, message: 'Nobody is signed in now.', data: { reason: 'VIEWER_CHANGED' } };

/**
 * Notifies open pages, by server-sent events, of stale results that their viewer may see
 * (docs/decisions/0020-events.md). `answer` is the endpoint `POST /gantry/events`.
 */
export function createEvents(
  options: Pick<Ports, 'now' | 'log' | 'every'> & {
    readonly changes: ChangeSource;
    readonly tokens: GadgetTokens;
    readonly secretKey: Uint8Array;
    readonly viewerOf: (request: Request) => Promise<PageViewer | undefined>;
    readonly limits?: EventLimits | undefined;
  },
) {
  const { changes, tokens, secretKey, viewerOf, limits = defaultLimits } = options;
  const streams = createEventStreams({ ...options, cursor });
  const opened = createRateLimit(options.now);
  const caughtUp = createRateLimit(options.now);
  let isClosing = false;

  // Sealed: the number would reveal how much is written on the site.
  function cursor(position: number): string {
    return seal(secretKey, String(position), 'events');
  }

  function earliest(since: EventsRequest['since']): number | undefined {
    try {
      return Math.min(...since.map((each) => Number(unseal(secretKey, each, 'events'))));
    } catch {
      return undefined; // sealed before the key changed
    }
  }

  /** Resolves with the listener that the tokens identify, or the first error if one is invalid. */
  async function listenerOf(pageTokens: EventsRequest['tokens'], viewer: PageViewer) {
    const listener = { viewer: viewer.id, owners: new Set<string>(), apps: new Set<string>() };
    for (const gadget of (await identifyGadgets(Object.entries(pageTokens), { tokens, viewer })).values()) {
      if ('error' in gadget) return gadget;
      listener.apps.add(gadget.asker.app);
      if (gadget.asker.owner !== undefined) listener.owners.add(gadget.asker.owner);
    }
    return { listener };
  }

  function refuseTooMany(viewer: string): void {
    if (isClosing || streams.size >= limits.streams) {
      throw new SocialError('UNAVAILABLE', 'Too many event streams are open: retry later.', { retryAfter: 5 });
    }
    if (streams.countOf(viewer) >= limits.ofViewer) {
      throw new SocialError('RATE_LIMITED', 'This member has too many event streams.', { retryAfter: 60 });
    }
  }

  /** Resolves with the changes since a position that concern a listener, or with all. */
  async function missedSince(position: number | undefined, listener: Listener) {
    const news = position === undefined ? undefined : await changes.feed.since(position);
    const missed = distinctChanges(news?.changes ?? []);
    const isMuch =
      missed.length > mostMissed ||
      (missed.length > fewMissed && caughtUp.take(listener.viewer, catchUps) !== undefined);
    if (news === undefined || isMuch) return { stale: allChanges, upTo: await changes.feed.position() };
    const audiences = await audienceOf(changes, missed, createListeners([listener]));
    return { stale: toWireChanges(missed.filter((_, index) => audiences[index]?.length)), upTo: news.position };
  }

  const answer: Endpoint = async (page, viewer) => {
    // Before the body is read: an anonymous request costs nothing (security rule 25).
    if (viewer === undefined) return jsonAnswer({ error: noViewer }, 401);
    refuseTooMany(viewer.id);
    const retryAfter = opened.take(viewer.id, openings);
    if (retryAfter !== undefined) {
      throw new SocialError('RATE_LIMITED', 'This member opens event streams too often.', { retryAfter });
    }
    const { tokens: pageTokens, since } = (await readBody(page, bodySchema)) as EventsRequest;
    const result = await listenerOf(pageTokens, viewer);
    if ('error' in result) return jsonAnswer(result, 401);
    const { listener } = result;
    if (listener.apps.size === 0) throw new SocialError('BAD_REQUEST', 'The body has no token.');
    refuseTooMany(viewer.id); // other streams may have opened meanwhile
    const again = page.head();

    async function recheck(): Promise<EventsEnd | undefined> {
      // This request's cookie may have expired: the page reconnects with its present one.
      const present = await viewerOf(again);
      return present === undefined || 'error' in (await listenerOf(pageTokens, present)) ? 'expired' : undefined;
    }

    // All streams share a timer; each is rechecked in its own request's context (security rule 32).
    const stream = streams.open(listener, AsyncResource.bind(recheck));
    try {
      const { stale, upTo } = await missedSince(earliest(since), listener);
      stream.begin(stale, upTo);
    } catch (error) {
      stream.end('later');
      throw error;
    }
    return {
      status: 200,
      headers: {
        ...privateHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no', // or nginx buffers kilobytes of events
      },
      body: stream.body,
    };
  };

  return {
    get size() {
      return streams.size;
    },
    /** Resolves with the cursor at which pages opened now start. */
    since: async () => cursor(await changes.feed.position()),
    answer,
    /** Ends all streams and refuses new ones: the process is about to stop. */
    close() {
      isClosing = true;
      streams.close();
    },
  };
}
