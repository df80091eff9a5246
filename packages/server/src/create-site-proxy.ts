import { createHttpUpstream, createInstallReporter, createProxy, isRegistryPath } from '@gantry/proxy';
import { isBelow, SocialError } from '@gantry/wire';
import { siteApps } from './apps/site-apps.ts';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { createHandler, pathOf, proxyOptions } from './create-handler.ts';
import { openProxyStores } from './data/open-stores.ts';
import { siteRates } from './data/site-rates.ts';
import type { GantryHandler, GantryOptions } from './gantry.ts';
import { createTokenViewer } from './members/viewer-token.ts';
import { isPostgres } from './setup/database-address.ts';
import { measuredDatabase } from './telemetry/measured-database.ts';
import { createReadiness } from './telemetry/readiness.ts';
import { watchClock } from './telemetry/watch-clock.ts';

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
  const options = await checkOptions(given);
  try {
    return await createOver(options);
  } catch (error) {
    options.release();
    throw error;
  }
}

async function createOver(options: CheckedOptions & ExistingSite): Promise<GantryHandler> {
  const { url, database, now, viewerKey, log, telemetry, upstreamUrl, mediaOrigins, honoursKeys, records } = options;
  if (!viewerKey) throw new Error('GANTRY_VIEWER_KEY is missing.');
  const stores = await openProxyStores(options);
  const db = measuredDatabase(stores.db, telemetry.metrics.stored);
  const recordsUrl = upstreamUrl.replace(/\/social\/rest$/, '/gantry/admin/records');
  const installs = records && createInstallReporter({ db, recordsUrl, consumer: records, log });
  const tokenViewer = createTokenViewer({ key: viewerKey, site: url, log });
  const proxy = createProxy({
    ...proxyOptions(options, stores, mediaOrigins),
    db,
    takeRate: siteRates(db, options),
    ...(installs && { installs }),
    upstream: createHttpUpstream(),
    upstreamUrl,
    apps: siteApps({ ...stores, db }, { issuesKeys: false }),
    honoursKeys,
    viewer: async (request) => (await tokenViewer(request))?.id, // only the site knows its members
    observe: telemetry.metrics.proxied,
  });
  const stopClock = isPostgres(database) ? watchClock({ db, log, ...(now && { now }) }) : undefined;
  const { handler, isAppsHost, isOwnHost } = createHandler({
    options,
    stores,
    proxy,
    routes: [],
    readiness: createReadiness(db, { schema: 'proxy' }),
    async answerSite(request, _, { pathname }) {
      if (pathname.startsWith('/gantry/')) return proxy.answer(request);
      throw new SocialError('NOT_FOUND', 'This server answers below /gantry/ only.');
    },
    async close() {
      stopClock?.();
      installs?.close();
      await db.close();
    },
  });

  return {
    ...handler,
    paths: proxyPaths,
    serves: ({ host, rawTarget }) => isAppsHost(host) || isBelow(proxyPaths, pathOf(rawTarget)),
    direct: (incoming) => (isOwnHost(incoming.host) ? proxy.direct(incoming) : undefined),
    streams: ({ rawTarget }) => isRegistryPath(pathOf(rawTarget)),
  };
}

const proxyPaths = ['/gantry', '/healthz', '/readyz', '/metrics'] as const;
