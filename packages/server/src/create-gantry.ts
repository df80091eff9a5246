import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAccount, isUpload } from '@gantry/account';
import {
  createAppAddresses,
  createProxy,
  createServiceUpstream,
  forgetMember,
  listGrants,
  revokeGrants,
} from '@gantry/proxy';
import {
  createAudience,
  createPasswords,
  createService,
  isInactive,
  isLoopbackAlias,
  saveRecords,
  siteChanges,
} from '@gantry/service';
import { createChangeFeed, pruneChanges, sql } from '@gantry/store';
import { gantryPaths, type HttpResponse, isGantryPath, SocialError } from '@gantry/wire';
import { callOnce } from './call-once.ts';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { completeAfterUpgrade } from './data/complete-old-writes.ts';
import { readKeys } from './data/keys.ts';
import { notifyOnWrite } from './data/notify-on-write.ts';
import { openSharedNonces } from './data/open-database.ts';
import { openStores } from './data/open-stores.ts';
import { readSitePublicKey } from './data/site-key.ts';
import type { OpenStores, Stores } from './data/stores.ts';
import { defaultLimits } from './edge/limits.ts';
import type { Gantry, GantryOptions } from './gantry.ts';
import { answerFailures } from './http/failure-response.ts';
import { matchesHost } from './http/matches-host.ts';
import { createOpenRequests } from './http/open-requests.ts';
import { pathOf } from './http/path-of.ts';
import { createMemberClaims } from './members/member-claims.ts';
import { createSessionViewer } from './members/session-viewer.ts';
import { siteHaving } from './members/site-having.ts';
import { createTokenViewer } from './members/viewer-token.ts';
import { scriptFiles } from './script-files.ts';
import { createSelfTest } from './self-test/routes/self-test.ts';
import { combineObservers } from './telemetry/combine-observers.ts';
import { measuredDatabase } from './telemetry/measured-database.ts';
import { createMonitoringPaths, monitoringPaths } from './telemetry/monitoring-paths.ts';
import { createReadiness } from './telemetry/readiness.ts';

/**
 * Puts service and proxy together for one site.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const memberOf = () => 'ada'; // from your own session
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const gantry = await createGantry({ data, url: 'https://social.example', viewer: memberOf });
 * toNodeListener(gantry); // for createServer of node:http, or app.use of Express
 * await gantry.close();
 * @param given.viewer Names the signed-in member of a request, or `undefined`.
 * @throws UsageError for an invalid option, such as a `url` that is not an origin.
 * @throws Error in one sentence if keys, schema or folder are not usable.
 */
export async function createGantry(given: GantryOptions): Promise<Gantry> {
  const options = checkOptions(given);
  try {
    if (options.stores) return await createOver(options.stores, options);
    const stores = await openStores(options);
    return await completeStores(stores, options)
      .then((all) => createOver(all, options))
      .catch(async (error: unknown) => {
        await stores.db.close();
        throw error;
      });
  } catch (error) {
    options.release();
    throw error;
  }
}

async function completeStores(stores: Stores, { data, database, now }: CheckedOptions): Promise<OpenStores> {
  const nonces = await openSharedNonces(database, join(data, 'nonces'), now && { now });
  return { ...stores, nonces, publicKey: await readSitePublicKey(data) };
}

async function createOver(stores: OpenStores, options: CheckedOptions): Promise<Gantry> {
  const {
    data,
    url,
    appsHost,
    viewer,
    viewerKey,
    signInUrl,
    site = withoutSite,
    log,
    telemetry,
    metricsToken,
    callsPerMinute,
    documents,
  } = options;
  const own = new URL(url);
  const { secretKey, tokenKeys, mediaFolder, nonces, publicKey } = stores;
  const { now = Date.now, random, pause, every, stage, observe } = options;
  // An absent option is left out, so that each part uses its own default.
  const time = { now, ...(every && { every }) };
  const chance = random && { random };
  const measured = measuredDatabase(stores.db, telemetry.stored);
  const feed = createChangeFeed({ db: measured, log: siteChanges, ...time });
  const db = notifyOnWrite(measured, siteChanges, feed.wake);
  const passwords = createPasswords({ permit: options.hashPermit, ...chance });
  const service = await createService({
    db,
    nonces,
    secretKey,
    mediaFolder,
    publicUrl: url,
    ...(publicKey !== undefined && { publicKey }),
    now,
    ...chance,
    passwords,
    alsoRemove: forgetMember,
    log,
    observe: telemetry.answered,
  });
  const installs = siteHaving(db);
  const saveMember = createMemberClaims({ db, now, log });
  const decisions = { db, changes: siteChanges, installs, now, log };
  const account = createAccount({
    db,
    publicUrl: url,
    secretKey,
    mediaFolder,
    passwords,
    viewer:
      (viewer && createSessionViewer(viewer, () => telemetry.contexts.getStore()?.incoming)) ??
      (viewerKey && createTokenViewer({ key: viewerKey, site: url, now, log, saveMember })),
    signInUrl,
    now,
    ...chance,
    pageApps: {
      list: (viewer) => listGrants(db, viewer),
      revoke: (viewer, app, { removesData }) => revokeGrants(decisions, { viewer, app, removesData }),
    },
    log,
  });
  const proxy = createProxy({
    db,
    secretKey,
    tokenKeys,
    ...(options.stores === undefined && { readTokenKeys: () => readKeys(data).tokenKeys }),
    upstream: createServiceUpstream(service),
    confirms: service.confirms,
    paused: isInactive(sql`app_registrations.id`),
    upstreamUrl: `${url}/social/rest`,
    honoursKeys: true,
    installs,
    changes: {
      feed,
      log: siteChanges,
      cacheFeed: createChangeFeed({ db: measured, log: siteChanges, lookEveryMs: 5_000, ...time }),
      audience: createAudience(db),
    },
    publicUrl: url,
    ...(appsHost !== undefined && { appsHost }),
    viewer: account.viewer,
    scripts: scriptFiles(),
    selfTest: createSelfTest({
      siteOrigin: url,
      mediaOrigins: [],
      addresses: createAppAddresses({ siteOrigin: url, appsHost }),
    }),
    log,
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(documents !== undefined && { documents }),
    requestId: telemetry.requestId,
    observe: observe ? combineObservers(telemetry.proxied, observe) : telemetry.proxied,
    ...time,
    ...chance,
    ...(pause && { pause }),
    ...(stage && { stage }),
  });

  telemetry.metrics.streams(() => proxy.streams);
  const monitoring = createMonitoringPaths({ readiness: createReadiness(db), url, telemetry, metricsToken });

  async function answer(request: Request, rawTarget: string): Promise<Response> {
    const address = new URL(request.url);
    if (monitoringPaths.has(address.pathname)) return monitoring(request, address.pathname);
    if (matchesHost(address.host, url) || isLoopbackAlias(address, own)) return answerSite(request, rawTarget, address);
    if (appsHost !== undefined && matchesHost(address.host, appsHost)) return proxy.handle(request);
    throw new SocialError('MISDIRECTED', `This server answers for ${url}, not for ${address.host}.`);
  }

  async function answerSite(request: Request, rawTarget: string, address: URL): Promise<Response> {
    const path = address.pathname;
    if (isServicePath(path)) return service.handle(request, rawTarget);
    // `frame-ancestors` names one address, so pages are shown at that address only.
    if (!matchesHost(address.host, url) && request.method === 'GET') return Response.redirect(url + rawTarget, 307);
    if (account.serves(path)) return response(await account.handle(request, telemetry.contexts.getStore()?.client));
    return isProxyPath(path) ? proxy.handle(request) : site(request, stores);
  }

  /** Returns whether a path is the service's; Gantry's others are the account's and the proxy's. */
  function isServicePath(path: string): boolean {
    if (isProxyPath(path)) return path.startsWith('/gantry/media/') || path.startsWith('/gantry/admin/records');
    return isGantryPath(path) && !account.serves(path);
  }

  const ownHost = own.host;
  const stopPruning = pruneChanges({ db: measured, log: siteChanges, ...time });
  const stopCompleting = completeAfterUpgrade(db, { log, ...time });

  const openRequests = createOpenRequests();

  async function closeAll(): Promise<void> {
    proxy.endStreams();
    await openRequests.drain(defaultLimits.requestMs);
    proxy.close();
    stopPruning();
    stopCompleting();
    await service.close();
    await db.close();
    options.release();
  }

  return {
    stores,
    telemetry,
    openRequests,
    paths: gantryPaths,
    serves: ({ host, rawTarget }) =>
      isGantryPath(pathOf(rawTarget)) || (appsHost !== undefined && matchesHost(host, appsHost)),
    direct(incoming) {
      if (incoming.host !== ownHost) return undefined;
      const path = pathOf(incoming.rawTarget);
      if (monitoringPaths.has(path)) return undefined;
      return isServicePath(path) ? service.answer(incoming) : proxy.direct(incoming);
    },
    streams: isUpload,
    fetch: answerFailures(answer, log),
    async saveRecords(records) {
      if (!Array.isArray(records)) throw new SocialError('BAD_REQUEST', 'Records must be a list.');
      const saved = await saveRecords(db, records, {
        ...{ mediaFolder, secretKey, passwords, alsoRemove: forgetMember },
        nowMs: now(),
        random: random ?? randomBytes,
      });
      if (!('problems' in saved)) return saved;
      const [first] = saved.problems;
      throw new SocialError('BAD_REQUEST', `Record ${first?.index}: ${first?.message}.`);
    },
    leave: proxy.endStreams,
    close: callOnce(closeAll),
  };
}

function isProxyPath(path: string): boolean {
  return path === '/gantry' || path.startsWith('/gantry/');
}

/** Redirects the root to the account's pages: there is no site around them. */
async function withoutSite({ url }: Request): Promise<Response> {
  if (new URL(url).pathname === '/') return new Response(null, { status: 303, headers: { Location: '/account' } });
  throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
}

function response({ status, headers, body }: HttpResponse): Response {
  return new Response(typeof body === 'object' && body !== null ? Buffer.from(body) : body, { status, headers });
}
