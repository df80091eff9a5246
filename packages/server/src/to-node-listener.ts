import type { IncomingMessage, ServerResponse } from 'node:http';
import { SocialError } from '@gantry/wire';
import type { Admission } from './edge/admission.ts';
import { type Client, createClientAddress, plainAddress } from './edge/client-address.ts';
import { createEdge } from './edge/edge.ts';
import { createFailureLimit } from './edge/failure-limit.ts';
import { defaultLimits, type Limits } from './edge/limits.ts';
import { refuse } from './edge/refusals.ts';
import type { GantryHandler } from './gantry.ts';
import { createRequestListener } from './request-listener.ts';
import { trustedProxies } from './site-addresses.ts';

export interface NodeListenerOptions {
  /**
   * Addresses or ranges of reverse proxies whose `X-Forwarded-For` is believed, such as `10.0.0.0/8,::1`. Not needed in
   * Express, which has `app.set('trust proxy', …)`.
   */
  readonly trustProxy?: string | undefined;
  /** Bounds of one client's requests; for tests, which do not wait for long time-outs. */
  readonly limits?: Limits | undefined;
}

/** A listener of Node's `request` event, and a middleware of Express and Connect. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void;

/**
 * Makes the function with which a site's own server hands requests to Gantry. Use it before body parsers, compression and
 * whatever sets headers: signatures cover the bytes of a request, and apps are kept apart by the headers of an answer.
 *
 * With `next`, requests that are not Gantry's are left to it. Without, they go to the option `site` of `createGantry`.
 *
 * @example
 * const gantry = await createGantry({ data: './data', url: 'https://social.example', viewer: memberOf });
 * createServer(toNodeListener(gantry)).listen(4400); // node:http
 * app.use(toNodeListener(gantry)); // Express, or any other that has (req, res, next)
 * @throws UsageError for a `trustProxy` that is no list of addresses.
 */
export function toNodeListener(gantry: GantryHandler, options: NodeListenerOptions = {}): NodeListener {
  const { limits = defaultLimits, trustProxy } = options;
  const { telemetry, fetch, direct, streams, openRequests } = gantry;
  const { log } = telemetry;
  const edge = createEdge({
    ...telemetry,
    admission: unqueued,
    clientOf: createClientOf(trustProxy),
    failures: createFailureLimit(),
  });
  const handle = createRequestListener({ fetch, direct, streams, edge, limits, log });

  return (incoming, outgoing, next) => {
    const rawTarget = rawTargetOf(incoming);
    if (next && !gantry.serves({ host: incoming.headers.host ?? '', rawTarget })) {
      next();
      return;
    }
    if (outgoing.headersSent || outgoing.destroyed) return; // answered before, or its client has gone
    incoming.url = rawTarget;
    clearHeaders(outgoing);
    if (openRequests.isStopping) {
      refuse(incoming, outgoing, stopping);
      return;
    }
    openRequests.add(outgoing);
    outgoing.setTimeout(limits.silenceMs, () => outgoing.destroy());
    handle(incoming, outgoing);
  };
}

const stopping = new SocialError('UNAVAILABLE', 'The server is stopping: try again.', { retryAfter: 1 });

// The queue needs every connection of the process, and a site's own requests would overtake it anyway.
const unqueued: Admission = {
  waiting: 0,
  connected() {},
  enter: (pending) => pending.run(),
  hold() {},
  release() {},
};

/** Routers change `url` where they are mounted, and keep what the client sent in `originalUrl`. */
function rawTargetOf(incoming: IncomingMessage): string {
  const { originalUrl } = incoming as { readonly originalUrl?: unknown };
  return typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '/');
}

/** Takes away what middleware has set for the site's own pages: it would open or close documents of apps. */
function clearHeaders(outgoing: ServerResponse): void {
  for (const name of outgoing.getHeaderNames()) {
    if (name !== 'strict-transport-security') outgoing.removeHeader(name);
  }
}

/** Express says in `ip` who asks, by the proxies that its site trusts. */
function createClientOf(trustProxy: string | undefined): (incoming: IncomingMessage) => Client {
  const byAddress = createClientAddress(
    trustProxy === undefined ? undefined : trustedProxies(trustProxy, 'trustProxy'),
  );
  if (trustProxy !== undefined) return byAddress;
  return (incoming) => {
    const peer = byAddress(incoming);
    const { ip } = incoming as { readonly ip?: unknown };
    const address = typeof ip === 'string' ? plainAddress(ip) : peer.address;
    return address === peer.address ? peer : { address, isForwarded: true, isDistinct: true };
  };
}
