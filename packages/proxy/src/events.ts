import { createListeners, type Every, type Listener, seal, unseal } from '@gantry/store';
import { type EventsEnd, type EventsRequest, SocialError, type WireError } from '@gantry/wire';
import * as v from 'valibot';
import { admit } from './admission.ts';
import { tokensSchema } from './call-body.ts';
import type { Log } from './calls.ts';
import { audienceOf, type Changes, distinct, everything, toldOf } from './changes.ts';
import { checked } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import { createEventStreams } from './event-streams.ts';
import type { GadgetTokens } from './gadget-token.ts';
import type { Answer, Endpoint, PageRequest } from './page-request.ts';
import { jsonAnswer, privateHeaders } from './responses.ts';

/** How many streams there may be. */
export interface EventLimits {
  readonly streams: number;
  /** A browser has one; without Web Locks each of its pages. */
  readonly ofViewer: number;
}

const defaultLimits: EventLimits = { streams: 4_000, ofViewer: 30 };

export interface Events {
  /** How many streams are open. */
  readonly size: number;
  /** What a page begins with that is opened now. */
  since(): Promise<string>;
  /** Answers `POST /gantry/events`. */
  readonly answer: Endpoint;
  /** Ends all streams and refuses new ones: the process is about to stop. */
  close(): void;
}

const bodySchema = v.object(
  {
    tokens: tokensSchema, // a page with more gadgets opens several streams
    since: v.pipe(
      v.array(v.pipe(v.string('text'), v.maxLength(256, 'at most 256 characters')), 'a list'),
      v.minLength(1, 'a list of at least 1'),
      v.maxLength(300, 'a list of at most 300'),
    ),
  },
  'an object with tokens and since',
);

/** A page had a viewer when it asked for its tokens. */
const noViewer: WireError = { code: 401, message: 'Nobody is signed in now.', data: { reason: 'VIEWER_CHANGED' } };

/** Tells open pages of one viewer each what is stale of what they may see, as server-sent events (docs/decisions/0020-events.md). */
export function createEvents(options: {
  readonly changes: Changes;
  readonly tokens: GadgetTokens;
  readonly secretKey: Uint8Array;
  readonly viewerOf: (request: Request) => Promise<string | undefined>;
  readonly now: () => number;
  readonly log: Log;
  readonly every: Every;
  readonly limits?: EventLimits | undefined;
}): Events {
  const { changes, tokens, secretKey, viewerOf, limits = defaultLimits } = options;
  const streams = createEventStreams({ ...options, cursor });
  let isClosing = false;

  // Sealed: a bare number would tell every member how much is written on the site.
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

  /** Who the tokens speak for, all of them at this moment, or the first reason why not. */
  async function listenerOf(given: EventsRequest['tokens'], viewer: string) {
    const instances = Object.keys(given);
    const admitted = await admit(
      { tokens: given, calls: instances.map((instance) => ({ instance })) },
      { tokens, viewer },
    );
    const gadgets = instances.map(admitted);
    const refused = gadgets.find((gadget) => 'error' in gadget);
    if (refused) return refused;
    const askers = gadgets.flatMap((gadget) => ('asker' in gadget ? [gadget.asker] : []));
    const listener: Listener = {
      viewer,
      owners: new Set(askers.flatMap(({ owner }) => owner ?? [])),
      apps: new Set(askers.map(({ app }) => app)),
    };
    return { listener };
  }

  function refuseTooMany(viewer: string): void {
    if (isClosing || streams.size >= limits.streams) {
      throw new SocialError('UNAVAILABLE', 'There are too many streams here: come back later.', { retryAfter: 5 });
    }
    if (streams.countOf(viewer) >= limits.ofViewer) {
      throw new SocialError('RATE_LIMITED', 'There are too many streams of this member.', { retryAfter: 60 });
    }
  }

  async function answer(page: PageRequest, viewer: string | undefined): Promise<Answer> {
    // Before the body is read: an anonymous one costs nothing.
    if (viewer === undefined) return jsonAnswer({ error: noViewer }, { status: 401 });
    refuseTooMany(viewer);
    const { tokens: given, since } = checked(bodySchema, await readJsonBody(page), 'The body') as EventsRequest;
    const found = await listenerOf(given, viewer);
    if ('error' in found) return jsonAnswer(found, { status: 401 });
    if (found.listener.apps.size === 0) throw new SocialError('BAD_REQUEST', 'The body has no token.');
    const { listener } = found;
    refuseTooMany(viewer); // others may have come while the tokens were checked
    const again = page.head();

    async function recheck(): Promise<EventsEnd | undefined> {
      // A cookie of five minutes may have a successor by now, which this request has not: whoever comes back says who it is.
      const present = await viewerOf(again);
      return present === undefined || 'error' in (await listenerOf(given, present)) ? 'expired' : undefined;
    }

    const stream = streams.open({ listener, recheck });
    try {
      const position = earliest(since);
      const news = position === undefined ? undefined : await changes.feed.since(position);
      if (news === undefined) stream.begin(everything, await changes.feed.position());
      else {
        const missed = distinct(news.changes);
        const concerned = await audienceOf(changes, missed, createListeners([listener]));
        stream.begin(toldOf(missed.filter((_, index) => concerned[index]?.length)), news.position);
      }
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
        'X-Accel-Buffering': 'no', // nginx would keep events until it has some kilobytes of them
      },
      body: stream.body,
    };
  }

  return {
    get size() {
      return streams.size;
    },
    since: async () => cursor(await changes.feed.position()),
    answer,
    close() {
      isClosing = true;
      streams.close();
    },
  };
}
