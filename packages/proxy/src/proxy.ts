import { setTimeout } from 'node:timers/promises';
import { isPassingFault, pruneChanges, every as repeat, StoreError } from '@gantry/store';
import { type HttpResponse, isId, type PageViewer, SocialError } from '@gantry/wire';
import { createRateLimit, type Logger, silentLogger } from '@gantry/wire/runtime';
import { createAppAddresses } from './apps/app-addresses.ts';
import { createAppDocuments } from './apps/app-documents.ts';
import { folderSource } from './apps/document-source.ts';
import { createPublicFiles } from './apps/public-files.ts';
import { createCallLimit, ownFirst } from './calls/call-limits.ts';
import { createCallsEndpoint } from './calls/calls.ts';
import { createSend } from './create-send.ts';
import { createEvents } from './events/events.ts';
import { createProxiedChanges, proxyChangeLog } from './events/proxied-changes.ts';
import { createGadgetTokens } from './gadgets/gadget-token.ts';
import { createInstancesEndpoint } from './gadgets/instances.ts';
import { createGrantsEndpoint } from './grants/grants-endpoint.ts';
import { requireOwnPage } from './http/container-request.ts';
import { createFileResponses } from './http/file-responses.ts';
import {
  type BufferedRequest,
  bufferedPageRequest,
  type Endpoint,
  type PageRequest,
  type PageResponse,
  pageRequestOf,
} from './http/page-request.ts';
import { errorAnswer, responseOf } from './http/responses.ts';
import type { Ports } from './ports.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { createRandom } from './random.ts';
import { createAppRegistry } from './registry/app-registry.ts';
import { isRegistryPath } from './registry/registry-routes.ts';
import { createAppVersions } from './versions/app-versions.ts';
import { createPreviewsEndpoint } from './versions/previews-endpoint.ts';

/** A site's proxy. */
export interface GadgetProxy {
  /** Methods and paths that it serves, such as `POST /gantry/calls`. */
  readonly routes: readonly string[];
  /** Answers requests below `/gantry/`, on the site's host and those of apps. Never rejects. */
  answer(request: Request): Promise<HttpResponse>;
  /** `answer` as a `Response`. */
  handle(request: Request): Promise<Response>;
  /** Answers the site's own pages; returns `undefined` for other paths. Never rejects. */
  direct(request: BufferedRequest): Promise<PageResponse> | undefined;
  /** Number of open event streams. */
  readonly streams: number;
  /** Ends all event streams and refuses new ones, before the process stops. */
  endStreams(): void;
  close(): void;
}

const instancesPath = '/gantry/instances';

/**
 * Makes the proxy of one site. It verifies gadgets, signs their calls and serves their documents.
 *
 * @throws Error in one line for unusable keys or addresses (security rules 9 and 24).
 */
export function createProxy(options: ProxyOptions): GadgetProxy {
  const { db, upstreamUrl, publicUrl, viewer, secretKey, scripts, selfTest, paused, installs } = options;
  const { now = Date.now, random = createRandom(), pause = setTimeout, log = silentLogger, every = repeat } = options;
  const { mediaOrigins = [], callsPerMinute = 1_200, documents: source = folderSource } = options;
  const { tokenKeys: keys, readTokenKeys: readKeys, eventLimits: limits, observe, bucket } = options;
  const takeRate = options.takeRate ?? createRateLimit(now).take;
  const takeCalls = options.takeRate ? ownFirst(options.takeRate, now) : takeRate;
  const ports: Ports = { db, bucket, now, random, pause, log, every, observe };
  if (secretKey.byteLength !== 32) throw new Error('The key that seals consumer secrets must have 32 bytes.');
  if (!URL.canParse(publicUrl) || new URL(publicUrl).origin !== publicUrl) {
    throw new Error(`The public address must be an origin such as https://site.example, not ${publicUrl}.`);
  }
  const addresses = createAppAddresses({ siteOrigin: publicUrl, appsHost: options.appsHost, pathOf: source.pathOf });
  const respond = createFileResponses();
  const versions = createAppVersions({ ...ports, fileCache: options.fileCache, kept: options.keptVersions });
  const documents = createAppDocuments({ versions, siteOrigin: publicUrl, mediaOrigins, addresses, source, respond });
  const files = createPublicFiles({ scripts, documents, selfTest, respond });
  const tokens = createGadgetTokens({ keys, readKeys, container: publicUrl, now, log });

  const changes = options.changes ?? createProxiedChanges(ports);
  const { send, jsonOf, close } = createSend({ ...options, ...ports }, changes);
  const stopPruning = options.changes ? undefined : pruneChanges({ ...ports, log: proxyChangeLog });
  const events = createEvents({ ...ports, changes, tokens, secretKey, viewerOf: memberOf, limits });
  const charge = createCallLimit({ takeRate: takeCalls, perMinute: callsPerMinute, observe });
  const canRemoveData = installs !== undefined;
  const gadgets = { ...ports, tokens, addresses, versions, upstreamUrl, publicUrl, since: events.since };
  const registry = options.apps && createAppRegistry({ ...ports, takeRate, publicUrl, paused, site: options.apps });
  const endpoints = new Map<string, Endpoint>([
    [instancesPath, createInstancesEndpoint({ ...gadgets, canRemoveData, paused })],
    ['/gantry/calls', createCallsEndpoint({ ...ports, secretKey, tokens, versions, charge, send, jsonOf, paused })],
    ['/gantry/events', events.answer],
    ['/gantry/grants', createGrantsEndpoint(tokens, { db, changes: changes.log, installs, now, log }, versions)],
    ['/gantry/previews', createPreviewsEndpoint({ ...ports, tokens })],
  ]);

  async function viewerOf(request: Request): Promise<PageViewer | undefined> {
    const named = await viewer(request);
    if (named === undefined || typeof named === 'object') return named;
    if (!isId(named)) throw new Error('The viewer function named something that is no member id.');
    return { id: named, isMember: true };
  }

  async function memberOf(request: Request): Promise<PageViewer | undefined> {
    const named = await viewerOf(request);
    return named?.isMember ? named : undefined;
  }

  async function answerPage(path: string, endpoint: Endpoint, page: PageRequest): Promise<PageResponse> {
    try {
      requireOwnPage(page, publicUrl);
      const named = await viewerOf(page.head());
      // A page says so in the place of each gadget. To a page that is open nobody is signed in.
      if (named?.isMember === false && path === instancesPath) {
        throw new SocialError('NO_MEMBER', 'The person who is signed in is no member of this site yet.');
      }
      return await endpoint(page, named?.isMember ? named : undefined);
    } catch (error) {
      const refusal = toSocialError(error, log);
      observe?.refused?.({ path, error: refusal.toWire() });
      return errorAnswer(refusal);
    }
  }

  async function answer(request: Request): Promise<HttpResponse> {
    const { pathname } = new URL(request.url);
    const endpoint = endpoints.get(pathname);
    if (endpoint) return answerPage(pathname, endpoint, pageRequestOf(request));
    try {
      if (registry && isRegistryPath(pathname)) return await registry.answer(request);
      return await files.answer(request, pathname);
    } catch (error) {
      return errorAnswer(toSocialError(error, log));
    }
  }

  return {
    routes: [...[...endpoints.keys()].map((path) => `POST ${path}`), ...files.routes, ...(registry?.routes ?? [])],
    direct(request) {
      const path = request.rawTarget; // with a query it goes through `handle`
      const endpoint = endpoints.get(path);
      return endpoint && answerPage(path, endpoint, bufferedPageRequest(request));
    },
    answer,
    handle: async (request) => responseOf(await answer(request), request),
    get streams() {
      return events.size;
    },
    endStreams: events.close,
    close() {
      events.close();
      close();
      stopPruning?.();
      versions.close();
    },
  };
}

function toSocialError(error: unknown, log: Logger): SocialError {
  if (error instanceof SocialError) return error;
  log.error({ err: error }, 'request failed');
  if (isPassingFault(error)) {
    return new SocialError('UNAVAILABLE', 'The file cannot be read now: try again.', { retryAfter: 1, cause: error });
  }
  return error instanceof StoreError && error.reason === 'unavailable'
    ? new SocialError('UNAVAILABLE', 'The database is not available.', { retryAfter: 1 })
    : new SocialError('INTERNAL', 'Something went wrong on our side.');
}
