import type { IncomingMessage, ServerResponse } from 'node:http';
import { SocialError } from '@gantry/wire';
import type { Admission } from './edge/admission.ts';
import { type Client, createClientAddress } from './edge/client-address.ts';
import { defaultLimits, type Limits } from './edge/limits.ts';
import { refuse } from './edge/refusals.ts';
import type { GantryHandler } from './gantry.ts';
import { createEdge } from './http/edge.ts';
import { createRequestListener } from './http/request-listener.ts';
import { plainAddress } from './setup/ip-addresses.ts';
import { trustedProxies } from './setup/site-addresses.ts';

export interface NodeListenerOptions {
  /**
   * Addresses or ranges of trusted reverse proxies, such as `10.0.0.0/8,::1`: their
   * `X-Forwarded-For` is believed. Not needed in Express, which has `app.set('trust proxy', …)`.
   */
  readonly trustProxy?: string | undefined;
  /** Limits per client; for tests, which do not wait for long timeouts. */
  readonly limits?: Limits | undefined;
}

/** Listener of Node's `request` event, and middleware of Express and Connect. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void;

/**
 * Makes the listener that passes requests of a site's own server to Gantry. Use it before body
 * parsers, compression and middleware that sets headers: signatures cover the bytes of a request,
 * and response headers keep apps apart.
 *
 * With `next`, requests that are not Gantry's go to it; without, to `createGantry`'s option `site`.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * import { createServer } from 'node:http';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const gantry = await createGantry({ data, url: 'http://localhost:4400' });
 * const server = createServer(toNodeListener(gantry)); // in Express: app.use(…)
 * server.listenerCount('request'); // 1
 * await gantry.close();
 * @throws UsageError if `trustProxy` is not a list of addresses.
 */
export function toNodeListener(gantry: GantryHandler, options: NodeListenerOptions = {}): NodeListener {
  const { limits = defaultLimits, trustProxy } = options;
  const { telemetry, fetch, direct, streams, openRequests } = gantry;
  const { log } = telemetry;
  const edge = createEdge({ ...telemetry, admission: unqueued, clientOf: createClientOf(trustProxy) });
  const handle = createRequestListener({ fetch, direct, streams, edge, limits, log });

  return (incoming, outgoing, next) => {
    const rawTarget = rawTargetOf(incoming);
    if (next && !gantry.serves({ host: incoming.headers.host ?? '', rawTarget })) {
      next();
      return;
    }
    if (outgoing.headersSent || outgoing.destroyed) return; // another middleware responded, or the client has gone
    incoming.url = rawTarget;
    clearHeaders(outgoing);
    const { method = 'GET', headers } = incoming;
    if (gantry.isPublic({ method, host: headers.host ?? '', rawTarget })) dropWriteHeadHooks(outgoing);
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

// The queue needs all connections of the process, and the site's own requests would overtake it.
const unqueued: Pick<Admission, 'enter'> = { enter: (pending) => pending.run() };

/** Returns the original target: routers change `url` and keep it in `originalUrl`. */
function rawTargetOf(incoming: IncomingMessage): string {
  const { originalUrl } = incoming as { readonly originalUrl?: unknown };
  return typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '/');
}

/** Removes headers of middleware: they could open or close app documents. */
function clearHeaders(outgoing: ServerResponse): void {
  for (const name of outgoing.getHeaderNames()) {
    if (name !== 'strict-transport-security') outgoing.removeHeader(name);
  }
}

/** Removes hooks that would set the cookie of a rolling session with a file that caches share. */
function dropWriteHeadHooks(outgoing: ServerResponse): void {
  if (Object.hasOwn(outgoing, 'writeHead')) outgoing.writeHead = Object.getPrototypeOf(outgoing).writeHead;
}

/** Uses Express's `ip`, which follows the site's own trusted proxies. */
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
