import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAppAddresses, type GadgetProxy, type ProxyOptions } from '@gantry/proxy';
import { isLoopbackAlias } from '@gantry/service';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { callOnce } from './call-once.ts';
import type { CheckedOptions } from './check-options.ts';
import type { Stores } from './data/stores.ts';
import { type Area, areaOf } from './edge/area.ts';
import { defaultLimits } from './edge/limits.ts';
import type { GantryHandler } from './gantry.ts';
import { answerFailures } from './http/failure-response.ts';
import { heldResponse } from './http/held-response.ts';
import { matchesHost } from './http/matches-host.ts';
import { createOpenRequests } from './http/open-requests.ts';
import { createSelfTest } from './self-test/routes/self-test.ts';
import { createMonitoringPaths, monitoringPaths } from './telemetry/monitoring-paths.ts';

/** Returns the options that the proxies of a whole site and of an existing one share. */
export function proxyOptions(
  options: CheckedOptions,
  { secretKey, tokenKeys, readTokenKeys, bucket }: Stores,
  mediaOrigins: readonly string[],
) {
  const { data, url, appsHost, callsPerMinute, keptVersions, log, telemetry } = options;
  const addresses = createAppAddresses({ siteOrigin: url, appsHost });
  return {
    secretKey,
    tokenKeys,
    bucket,
    ...(readTokenKeys && { readTokenKeys }),
    publicUrl: url,
    fileCache: join(data, 'cache'),
    ...(appsHost !== undefined && { appsHost }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(keptVersions !== undefined && { keptVersions }),
    mediaOrigins,
    scripts: { osapi: fileOf('@gantry/osapi/osapi.js'), container: fileOf('@gantry/container/container.js') },
    selfTest: createSelfTest({ siteOrigin: url, mediaOrigins, addresses }),
    log,
    traceHeaders: telemetry.traceHeaders,
  } satisfies Partial<ProxyOptions>;
}

/** Returns a built script, from the package that contains it. */
function fileOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

/** Parts in which a whole site and a proxy in front of an existing one differ. */
export interface HandlerParts {
  readonly options: CheckedOptions;
  readonly stores: Stores;
  readonly proxy: GadgetProxy;
  /** Methods and paths of the other parts. */
  readonly routes: readonly string[];
  readonly readiness: () => Promise<Response>;
  /** Handles a request to the site's own host. */
  readonly answerSite: (request: Request, rawTarget: string, address: URL) => Promise<HttpResponse | Response>;
  /** Closes everything but the proxy, which is closed already. */
  readonly close: () => Promise<void>;
}

/** Makes a handler of requests by host, with monitoring and a stop that waits for open ones. */
export function createHandler({ options, stores, proxy, routes, readiness, answerSite, close }: HandlerParts) {
  const { url, appsHost, log, telemetry, metricsToken } = options;
  const base = new URL(url);
  telemetry.metrics.streams(() => proxy.streams);
  const monitoring = createMonitoringPaths({ readiness, url, telemetry, metricsToken });
  const openRequests = createOpenRequests();
  let isHostLogged = false;
  const isAppsHost = (host: string): boolean => appsHost !== undefined && matchesHost(host, appsHost);

  async function answer(request: Request, rawTarget: string): Promise<Response> {
    const answered = await route(request, rawTarget);
    if (!(answered instanceof Response)) return heldResponse(answered, request, telemetry.answers);
    if (request.method !== 'HEAD' || answered.body === null) return answered;
    await answered.body.cancel(); // else a server reads it to its end
    return new Response(null, answered);
  }

  async function route(request: Request, rawTarget: string): Promise<HttpResponse | Response> {
    const address = new URL(request.url);
    const { host, pathname } = address;
    if (monitoringPaths.has(pathname)) return monitoring(request, pathname);
    if (matchesHost(host, url) || isLoopbackAlias(address, base)) return answerSite(request, rawTarget, address);
    if (isAppsHost(host)) return proxy.answer(request);
    if (!isHostLogged) {
      isHostLogged = true; // anyone can send names without end
      log.warn(
        { host: host.slice(0, 100) },
        `A request for another host was refused (421). This server answers for ${url}: if the site is opened at that host, set it as url (GANTRY_URL); behind a reverse proxy, pass the Host header on unchanged. Logged once.`,
      );
    }
    throw new SocialError('MISDIRECTED', `This server answers for ${url}, not for ${host}.`);
  }

  async function closeAll(): Promise<void> {
    proxy.endStreams();
    await openRequests.drain(defaultLimits.requestMs);
    proxy.close();
    await close();
    options.release();
  }

  const answered = answerFailures(answer, log);
  const handler = {
    routes: [...routes, ...proxy.routes, ...[...monitoringPaths].map((path) => `GET ${path}`)],
    stores,
    telemetry,
    openRequests,
    fetch: (request, rawTarget) => answered(request, typeof rawTarget === 'string' ? rawTarget : targetOf(request)),
    isPublic: ({ method, host, rawTarget }) =>
      isAppsHost(host) || ((method === 'GET' || method === 'HEAD') && publicAreas.has(areaOf(rawTarget))),
    leave: proxy.endStreams,
    close: callOnce(closeAll),
  } satisfies Partial<GantryHandler>;
  return { handler, isAppsHost, isOwnHost: (host: string) => host === base.host };
}

const publicAreas: ReadonlySet<Area> = new Set(['apps', 'media', 'gantry']);

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Returns the path of a raw request target, without its query. */
export function pathOf(rawTarget: string): string {
  const query = rawTarget.indexOf('?');
  return query === -1 ? rawTarget : rawTarget.slice(0, query);
}
