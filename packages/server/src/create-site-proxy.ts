import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHavingReports, createHttpUpstream, createProxy, proxyMigrations } from '@gantry/proxy';
import { isLoopbackAlias } from '@gantry/service';
import { type Database, migrate, sql } from '@gantry/store';
import { isBelow, release, SocialError } from '@gantry/wire';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { defaultLimits } from './edge/limits.ts';
import { answerFailures } from './failure-response.ts';
import type { GantryHandler, GantryOptions, Stores } from './gantry.ts';
import { isHostOf } from './is-host-of.ts';
import { readKeys } from './keys.ts';
import { measuredDatabase } from './measured-database.ts';
import { openDatabase } from './open-database.ts';
import { createOpenRequests } from './open-requests.ts';
import { pageRequest } from './page-request.ts';
import { pathOf } from './path-of.ts';
import { createReadiness } from './readiness.ts';
import { scriptFiles } from './script-files.ts';
import { UsageError } from './usage-error.ts';
import { createTokenViewer } from './viewer-token.ts';
import { createVitalPaths } from './vital-paths.ts';

/** An existing site that speaks this API. */
export interface ExistingSite {
  /** Its REST root, without a final slash. */
  readonly upstreamUrl: string;
  /** Origins of the photos and thumbnails that its answers name. */
  readonly mediaOrigins: readonly string[];
  /** It does a post with a known `Idempotency-Key` once, so that one whose answer was lost can be repeated. */
  readonly honoursKeys: boolean;
  /** Key of an administrator with which a Gantry is told who has which app. Absent: the site is told nothing. */
  readonly records?: { readonly key: string; readonly secret: string };
}

/**
 * Opens the data folder of `gantry proxy`, made where missing: keys, and a database of app registrations, grants and writes.
 *
 * @throws UsageError for a database that has a whole site in it.
 */
export async function openProxyStores({ data, database }: Pick<CheckedOptions, 'data' | 'database'>): Promise<Stores> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const db = await openDatabase(database);
  try {
    if ((await kindOf(db)) === 'site') {
      throw new UsageError(
        `The data of ${data} is that of gantry serve. Name another folder with --data or GANTRY_DATA.`,
      );
    }
    await migrate(db, { name: 'proxy', migrations: proxyMigrations, release });
  } catch (error) {
    await db.close();
    throw error;
  }
  return { db, ...keys, mediaFolder: join(data, 'media') };
}

/** What a database was made for: a whole site (`gantry serve`), a proxy before one that exists, or nothing yet. */
export async function kindOf(db: Database): Promise<'site' | 'proxy' | 'new'> {
  const names = await db
    .query<{ set_name: string }>(sql`select distinct set_name from schema_migration`)
    .catch(() => []); // there is no such table yet
  if (names.some(({ set_name: name }) => name === 'service')) return 'site';
  return names.length > 0 ? 'proxy' : 'new';
}

/** Container, proxy and app hosting before an existing site: what is below `/gantry/`, and nothing else. */
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
  const having = records && createHavingReports({ db, recordsUrl: recordsUrlOf(upstreamUrl), consumer: records, log });
  const proxy = createProxy({
    db,
    ...(having && { having }),
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
    log,
    requestId: telemetry.requestId,
    observe: telemetry.proxied,
  });
  telemetry.metrics.streams(() => proxy.streams);
  const vital = createVitalPaths({ readiness: createReadiness(db, { schema: 'proxy' }), url, telemetry, metricsToken });

  async function answer(request: Request): Promise<Response> {
    const address = new URL(request.url);
    const answered = vital(request, address.pathname);
    if (answered) return answered;
    const isOurs = isHostOf(address.host, url) || isLoopbackAlias(address, own);
    if (isOurs && !address.pathname.startsWith('/gantry/')) {
      throw new SocialError('NOT_FOUND', 'This server answers below /gantry/ only.');
    }
    if (isOurs || isAppHost(address.host)) return proxy.handle(request);
    throw new SocialError('MISDIRECTED', `This server answers for ${url}, not for ${address.host}.`);
  }

  const openRequests = createOpenRequests();
  const isAppHost = (host: string): boolean => appsHost !== undefined && isHostOf(host, appsHost);
  let closed: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    proxy.endStreams();
    await openRequests.drain(defaultLimits.requestMs);
    having?.close();
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
    direct: (incoming) => (incoming.host === own.host ? proxy.direct(pageRequest(incoming)) : undefined),
    streams: () => false,
    fetch: answerFailures(answer, log),
    leave: proxy.endStreams,
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

const proxyPaths = ['/gantry', '/healthz', '/readyz', '/metrics'] as const;

function recordsUrlOf(upstreamUrl: string): string {
  return upstreamUrl.replace(/\/social\/rest$/, '/gantry/admin/records');
}
