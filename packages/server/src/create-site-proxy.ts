import { createAppAddresses, createHttpUpstream, createInstallReporter, createProxy } from '@gantry/proxy';
import { isLoopbackAlias } from '@gantry/service';
import { isBelow, SocialError } from '@gantry/wire';
import { callOnce } from './call-once.ts';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { readKeys } from './data/keys.ts';
import { openProxyStores } from './data/open-stores.ts';
import { defaultLimits } from './edge/limits.ts';
import type { GantryHandler, GantryOptions } from './gantry.ts';
import { answerFailures } from './http/failure-response.ts';
import { matchesHost } from './http/matches-host.ts';
import { createOpenRequests } from './http/open-requests.ts';
import { pathOf } from './http/path-of.ts';
import { createTokenViewer } from './members/viewer-token.ts';
import { scriptFiles } from './script-files.ts';
import { createSelfTest } from './self-test/routes/self-test.ts';
import { measuredDatabase } from './telemetry/measured-database.ts';
import { createMonitoringPaths, monitoringPaths } from './telemetry/monitoring-paths.ts';
import { createReadiness } from './telemetry/readiness.ts';

/** An existing site that speaks this API. */
export interface ExistingSite {
  /** Its REST root, without a final slash. */
  readonly upstreamUrl: string;
  /** Origins of the photos and thumbnails that its answers name. */
  readonly mediaOrigins: readonly string[];
  /** It executes posts of one `Idempotency-Key` once: posts without a response can be repeated. */
  readonly honoursKeys: boolean;
  /** Administrator's key to report which members have which app to a site that is a Gantry. */
  readonly records?: { readonly key: string; readonly secret: string };
}

/**
 * Makes the handler of container, proxy and app hosting in front of an existing site: paths below
 * `/gantry/` only.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const proxy = await createSiteProxy({
 *   data: mkdtempSync('/tmp/gantry-example-'),
 *   url: 'https://social.example',
 *   upstreamUrl: 'https://social.example/social/rest',
 *   mediaOrigins: [],
 *   honoursKeys: false,
 *   viewerKey: new Uint8Array(32),
 * });
 * proxy.serves({ host: 'social.example', rawTarget: '/gantry/container.js' }); // true
 * proxy.serves({ host: 'social.example', rawTarget: '/' }); // false
 * await proxy.close();
 * @throws UsageError for an invalid option, and for the data folder of a whole site.
 */
export async function createSiteProxy(given: GantryOptions & ExistingSite): Promise<GantryHandler> {
  const options = checkOptions(given);
  try {
    return await createOver(options);
  } catch (error) {
    options.release();
    throw error;
  }
}

async function createOver(options: CheckedOptions & ExistingSite): Promise<GantryHandler> {
  const { data, url, appsHost, viewerKey, log, telemetry, metricsToken, callsPerMinute } = options;
  const { upstreamUrl, mediaOrigins, honoursKeys, records } = options;
  if (!viewerKey) throw new Error('GANTRY_VIEWER_KEY is missing.');
  const own = new URL(url);
  const stores = await openProxyStores(options);
  const { secretKey, tokenKeys } = stores;
  const db = measuredDatabase(stores.db, telemetry.stored);
  const installs =
    records && createInstallReporter({ db, recordsUrl: recordsUrlOf(upstreamUrl), consumer: records, log });
  const proxy = createProxy({
    db,
    ...(installs && { installs }),
    secretKey,
    tokenKeys,
    readTokenKeys: () => readKeys(data).tokenKeys,
    upstream: createHttpUpstream(),
    upstreamUrl,
    mediaOrigins,
    honoursKeys,
    publicUrl: url,
    ...(appsHost !== undefined && { appsHost }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    viewer: createTokenViewer({ key: viewerKey, site: url, log }),
    scripts: scriptFiles(),
    selfTest: createSelfTest({
      siteOrigin: url,
      mediaOrigins,
      addresses: createAppAddresses({ siteOrigin: url, appsHost }),
    }),
    log,
    requestId: telemetry.requestId,
    observe: telemetry.proxied,
  });
  telemetry.metrics.streams(() => proxy.streams);
  const monitoring = createMonitoringPaths({
    readiness: createReadiness(db, { schema: 'proxy' }),
    url,
    telemetry,
    metricsToken,
  });

  async function answer(request: Request): Promise<Response> {
    const address = new URL(request.url);
    if (monitoringPaths.has(address.pathname)) return monitoring(request, address.pathname);
    const isOurs = matchesHost(address.host, url) || isLoopbackAlias(address, own);
    if (isOurs && !address.pathname.startsWith('/gantry/')) {
      throw new SocialError('NOT_FOUND', 'This server answers below /gantry/ only.');
    }
    if (isOurs || isAppHost(address.host)) return proxy.handle(request);
    throw new SocialError('MISDIRECTED', `This server answers for ${url}, not for ${address.host}.`);
  }

  const openRequests = createOpenRequests();
  const isAppHost = (host: string): boolean => appsHost !== undefined && matchesHost(host, appsHost);

  async function closeAll(): Promise<void> {
    proxy.endStreams();
    await openRequests.drain(defaultLimits.requestMs);
    installs?.close();
    proxy.close();
    await db.close();
    options.release();
  }

  return {
    stores,
    telemetry,
    openRequests,
    paths: proxyPaths,
    serves: ({ host, rawTarget }) => isAppHost(host) || isBelow(proxyPaths, pathOf(rawTarget)),
    direct: (incoming) => (incoming.host === own.host ? proxy.direct(incoming) : undefined),
    streams: () => false,
    fetch: answerFailures(answer, log),
    leave: proxy.endStreams,
    close: callOnce(closeAll),
  };
}

const proxyPaths = ['/gantry', '/healthz', '/readyz', '/metrics'] as const;

function recordsUrlOf(upstreamUrl: string): string {
  return upstreamUrl.replace(/\/social\/rest$/, '/gantry/admin/records');
}
