import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Database, type Every, keepChanges, every as repeat, type Statement, StoreError } from '@gantry/store';
import { isId, restPath, SocialError } from '@gantry/wire';
import { permit } from './access.ts';
import { createAnswerCache } from './answer-cache.ts';
import { createAppAddresses } from './app-addresses.ts';
import { createAppDocuments } from './app-documents.ts';
import { createBreaker } from './breaker.ts';
import { createRate, createShares } from './call-limits.ts';
import { type Asking, type Stage, through } from './call-path.ts';
import { createCalls, type Log } from './calls.ts';
import type { Changes } from './changes.ts';
import { requireOwnPage } from './container-request.ts';
import { type DocumentSource, folderSource } from './document-source.ts';
import { createEvents, type EventLimits } from './events.ts';
import { createGadgetTokens, type TokenKey } from './gadget-token.ts';
import { createGrants } from './grants-endpoint.ts';
import { createHavingStage, type Having } from './having.ts';
import { createInstances } from './instances.ts';
import { createOwnChanges, proxyChanges } from './own-changes.ts';
import { type Answer, type Endpoint, type PageRequest, pageRequestOf } from './page-request.ts';
import type { ProxyObserver } from './proxy-observer.ts';
import { createRandom } from './random.ts';
import { createReplyTexts } from './reply-text.ts';
import { errorAnswer, responseOf } from './responses.ts';
import { schemaResponse } from './schema-response.ts';
import { createChunks, createScript } from './scripts.ts';
import { createSelfTest } from './self-test/self-test.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import { createUpstreamReply } from './upstream-reply.ts';
import { createWriteOnce } from './write-once.ts';

export interface ProxyOptions {
  readonly db: Database;
  readonly upstream: Upstream;
  /**
   * Whether the upstream would answer a read as it did with a validator, where that can be asked without a signed request:
   * of the service in this process.
   */
  readonly confirms?: (known: KnownAnswer) => Promise<boolean>;
  /** REST root as it is signed, for example `http://localhost:4400/social/rest`. */
  readonly upstreamUrl: string;
  /** The upstream does a post with a known `Idempotency-Key` once, as our service does. False when absent. */
  readonly honoursKeys?: boolean;
  /** Origin of the site, whose pages hold the gadgets. */
  readonly publicUrl: string;
  /** Origin of app documents, `*.` before its host for one of each app; the site's own, kept opaque, when absent. */
  readonly appsHost?: string;
  /** Origins of photos and thumbnails, which apps may show, where they are not the site's own. */
  readonly mediaOrigins?: readonly string[];
  /** Calls that one member's use of one app may make in a minute, default 1,200; 0 is no limit. */
  readonly callsPerMinute?: number;
  /** Names the signed-in member. */
  readonly viewer: (request: Request) => Promise<string | undefined>;
  /** Unseals consumer secrets: 32 bytes. */
  readonly secretKey: Uint8Array;
  /** The first signs, all verify. At least 32 bytes each. */
  readonly tokenKeys: readonly TokenKey[];
  /** Reads them anew, since they can be changed while this runs. */
  readonly readTokenKeys?: () => readonly TokenKey[];
  /** Files of the two built scripts. Beside the container's lie `chunks/`, what it fetches when it is needed, and the self-test's. */
  readonly scripts: { readonly osapi: string; readonly container: string };
  /** Who has which app, where the site knows or can be told. */
  readonly having?: Having;
  /** Condition over `app_registrations` that is true for a paused app, where the host keeps that. Default: their own column. */
  readonly paused?: Statement;
  /** Where the upstream's changes are heard of. Absent: only what is written through this proxy is told. */
  readonly changes?: Changes;
  readonly eventLimits?: EventLimits;
  /** Source of the files of served apps. Default: their folders. */
  readonly documents?: DocumentSource;
  readonly every?: Every;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Waits between attempts, in milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly log?: Log;
  readonly observe?: ProxyObserver;
  /** A step that every call passes after its permissions and before the cache and the site: for tools that make faults. */
  readonly stage?: Stage;
  /** Id of the request that is being answered, which goes upstream as `X-Request-Id`. */
  readonly requestId?: () => string | undefined;
}

export interface GadgetProxy {
  /** Answers what is below `/gantry/`, on the site's host and on those of apps. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** Answers a call of the site's own pages without a `Request`; `undefined` for any other path. Never rejects. */
  direct(page: PageRequest): Promise<Answer> | undefined;
  /** Streams of events that are open. */
  readonly streams: number;
  /** Ends them and refuses new ones: the process is about to stop. */
  endStreams(): void;
  close(): void;
}

/** A read that was answered before. */
export interface KnownAnswer {
  /** Path and query, with the requestor. */
  readonly rawTarget: string;
  readonly consumerKey: string;
  readonly requestorId: string;
  readonly etag: string;
}

const deadlineMs = 10_000;
const cacheBytes = 32 * 1024 * 1024;

/**
 * Makes the proxy: it decides who a gadget speaks for, signs what it asks, and serves its document.
 *
 * @throws Error in one clear line for keys or addresses that cannot be used (security rules 9 and 24).
 */
export function createProxy(options: ProxyOptions): GadgetProxy {
  const { db, upstreamUrl, publicUrl, viewer, secretKey, scripts } = options;
  const { now = Date.now, random = createRandom(), pause = setTimeout, log = silent } = options;
  const {
    confirms,
    honoursKeys = false,
    mediaOrigins = [],
    callsPerMinute = 1_200,
    observe,
    every = repeat,
    having,
    documents: source = folderSource,
  } = options;
  if (secretKey.byteLength !== 32) throw new Error('The key that seals consumer secrets must have 32 bytes.');
  if (!URL.canParse(publicUrl) || new URL(publicUrl).origin !== publicUrl) {
    throw new Error(`The public address must be an origin such as https://site.example, not ${publicUrl}.`);
  }
  const addresses = createAppAddresses({ siteOrigin: publicUrl, appsHost: options.appsHost, pathOf: source.pathOf });
  const tokens = createGadgetTokens({
    keys: options.tokenKeys,
    readKeys: options.readTokenKeys,
    container: publicUrl,
    now,
  });
  const breaker = createBreaker(now);
  const ask = createUpstream({ ...options, deadlineMs, breaker, now, random, pause, observe: observe?.attempt });
  observe?.breaker(() => breaker.state);
  const rootPath = new URL(upstreamUrl).pathname.replace(/\/$/, '');

  const ownChanges = options.changes ? undefined : createOwnChanges({ db, log, now, every });
  const forgetChanges = ownChanges && keepChanges({ db, log: proxyChanges, now, every });
  const changes = options.changes ?? (ownChanges as Changes);
  const events = createEvents({
    ...{ changes, tokens, secretKey, viewerOf, now, log, every, limits: options.eventLimits },
  });
  const instances = createInstances({
    db,
    tokens,
    addresses,
    upstreamUrl,
    publicUrl,
    random,
    log,
    since: events.since,
    canRemoveData: having !== undefined,
    paused: options.paused,
  });
  const textOf = createReplyTexts();
  const askSite = createUpstreamReply({ ask, now, log });
  const inShare = createShares({ atOnce: 32, waiting: 1_000, limited: observe?.limited });
  const answers = createAnswerCache({
    askSite: async (asking, etag) => {
      const isConfirmed = etag !== undefined && confirms && (await confirms(knownAnswer(asking, etag)));
      if (isConfirmed) return { reply: 'unchanged', etag, mayKeep: true, maxAgeMs: 0 };
      return inShare(asking.asker.app, () => askSite(asking, etag));
    },
    textOf,
    maxBytes: cacheBytes,
    feed: changes.cacheFeed,
    now,
    observe: observe?.cache,
  });
  // What every call passes on its way to the cache and the site, outermost first: its grants, the record of writes, what tells others.
  const stages: readonly Stage[] = [
    permit,
    createWriteOnce({ db, now, random, pause, log, honoursKeys, longestMs: 2 * deadlineMs }),
    createHavingStage({ having, now }),
    ...(ownChanges ? [ownChanges.stage] : []),
    ...(options.stage ? [options.stage] : []),
  ];
  const charge = createRate({ now, perMinute: callsPerMinute, limited: observe?.limited });
  const calls = createCalls({
    db,
    secretKey,
    tokens,
    charge,
    send: through(stages, answers.send),
    textOf,
    now,
    log,
    paused: options.paused,
    refused: observe?.refused,
  });
  const forOwnPage = new Map<string, Endpoint>([
    ['/gantry/instances', instances],
    ['/gantry/calls', calls],
    ['/gantry/events', events.answer],
    ['/gantry/grants', createGrants({ tokens, decisions: { db, changes: changes.log, having, now, log } })],
  ]);
  const documents = createAppDocuments({ db, siteOrigin: publicUrl, mediaOrigins, addresses, source });
  const osapiScript = createScript(scripts.osapi);
  const containerScript = createScript(scripts.container);
  const chunks = createChunks(join(dirname(scripts.container), 'chunks'));
  const selfTest = createSelfTest({ siteOrigin: publicUrl, mediaOrigins, addresses, script: scripts.container });

  function knownAnswer({ request, consumer, asker }: Asking, etag: string): KnownAnswer {
    const query = [...request.query, ['xoauth_requestor_id', asker.viewer] as const];
    const rawTarget = rootPath + restPath({ segments: request.segments, query });
    return { rawTarget, consumerKey: consumer.key, requestorId: asker.viewer, etag };
  }

  async function viewerOf(request: Request): Promise<string | undefined> {
    const id = await viewer(request);
    if (id !== undefined && !isId(id)) throw new Error('The viewer function named something that is no member id.');
    return id;
  }

  async function answerPage(endpoint: Endpoint, page: PageRequest): Promise<Answer> {
    try {
      requireOwnPage(page, publicUrl);
      return await endpoint(page, await viewerOf(page.head()));
    } catch (error) {
      const explained = explain(error);
      observe?.refused?.({ path: page.path, error: explained.toWire() });
      return errorAnswer(explained);
    }
  }

  async function route(request: Request, path: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Use GET.', { allow: ['GET', 'HEAD'] });
    }
    if (path.startsWith('/gantry/apps/')) return documents(request);
    if (path === '/gantry/manifest.schema.json') return schemaResponse(request);
    if (path === '/gantry/osapi.js') return osapiScript(request);
    if (path === '/gantry/container.js') return containerScript(request);
    if (path.startsWith('/gantry/chunks/')) return chunks(request);
    if (path === '/gantry/self-test' || path.startsWith('/gantry/self-test/')) return selfTest(request);
    throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
  }

  function direct(page: PageRequest): Promise<Answer> | undefined {
    const endpoint = forOwnPage.get(page.path);
    return endpoint && answerPage(endpoint, page);
  }

  function explain(error: unknown): SocialError {
    if (error instanceof SocialError) return error;
    log.error({ err: error }, 'request failed');
    return ownFault(error);
  }

  return {
    direct,
    async handle(request) {
      const page = pageRequestOf(request);
      const answered = direct(page);
      if (answered) return responseOf(await answered);
      try {
        return await route(request, page.path);
      } catch (error) {
        return responseOf(errorAnswer(explain(error)));
      }
    },
    get streams() {
      return events.size;
    },
    endStreams: events.close,
    close() {
      events.close();
      answers.close();
      forgetChanges?.();
    },
  };
}

function ownFault(error: unknown): SocialError {
  const isStoreAway = error instanceof StoreError && error.reason === 'unavailable';
  return isStoreAway
    ? new SocialError('UNAVAILABLE', 'The database is not available.', { retryAfter: 1 })
    : new SocialError('INTERNAL', 'Something went wrong on our side.');
}

const silent: Log = { error() {}, info() {} };
