import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAccount, isUpload } from '@gantry/account';
import {
  createProxy,
  createServiceUpstream,
  forgetMembers,
  isRegistryPath,
  listGrants,
  revokeGrants,
} from '@gantry/proxy';
import { createAudience, createPasswords, createService, isInactive, saveRecords, siteChanges } from '@gantry/service';
import { createChangeFeed, pruneChanges, sql } from '@gantry/store';
import { gantryPaths, type HttpResponse, isGantryPath, SocialError } from '@gantry/wire';
import { siteApps } from './apps/site-apps.ts';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { createHandler, pathOf, proxyOptions } from './create-handler.ts';
import { notifyOnWrite } from './data/notify-on-write.ts';
import { openSharedNonces } from './data/open-database.ts';
import { openReplicas } from './data/open-replicas.ts';
import { openStores } from './data/open-stores.ts';
import { siteHaving } from './data/site-having.ts';
import { readSitePublicKey } from './data/site-key.ts';
import { siteRates } from './data/site-rates.ts';
import type { OpenStores } from './data/stores.ts';
import type { Gantry, GantryOptions } from './gantry.ts';
import { matchesHost } from './http/matches-host.ts';
import { createMemberClaims } from './members/member-claims.ts';
import { createSessionViewer } from './members/session-viewer.ts';
import { createTokenViewer } from './members/viewer-token.ts';
import { isPostgres } from './setup/database-address.ts';
import { combineObservers } from './telemetry/combine-observers.ts';
import { measuredDatabase } from './telemetry/measured-database.ts';
import { monitoringPaths } from './telemetry/monitoring-paths.ts';
import { createReadiness } from './telemetry/readiness.ts';
import { watchClock } from './telemetry/watch-clock.ts';

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
  const options = await checkOptions(given);
  try {
    return options.stores ? await createOver(options.stores, options) : await openAndCreate(options);
  } catch (error) {
    options.release();
    throw error;
  }
}

async function openAndCreate(options: CheckedOptions): Promise<Gantry> {
  const { data, database, replicas = [], log, now } = options;
  const opened = await openStores(options);
  const stores = replicas.length === 0 ? opened : { ...opened, db: openReplicas(opened.db, replicas, log) };
  try {
    const nonces = await openSharedNonces(database, join(data, 'nonces'), now && { now });
    const publicKey = stores.publicKey ?? (await readSitePublicKey(data));
    return await createOver({ ...stores, nonces, publicKey }, options);
  } catch (error) {
    await stores.db.close();
    throw error;
  }
}

async function createOver(stores: OpenStores, options: CheckedOptions): Promise<Gantry> {
  const { url, site = withoutSite, telemetry, now = Date.now, random = randomBytes } = options;
  const { db, passwords, service, account, proxy, timers } = await createParts(stores, options);
  const { mediaFolder, bucket, secretKey } = stores;
  const writing = { mediaFolder, bucket, secretKey, passwords, alsoRemove: forgetMembers, random };

  async function answerSite(request: Request, rawTarget: string, address: URL): Promise<HttpResponse | Response> {
    const path = address.pathname;
    if (isServicePath(path)) return service.answerRequest(request, rawTarget);
    if (isRegistryPath(path)) return proxy.answer(request);
    // `frame-ancestors` names one address, so pages are shown at that address only.
    if (!matchesHost(address.host, url) && request.method === 'GET') return Response.redirect(url + rawTarget, 307);
    if (account.serves(path)) return account.handle(request, telemetry.contexts.getStore()?.client);
    return isProxyPath(path) ? proxy.answer(request) : site(request, stores);
  }

  /** Returns whether a path is the service's; Gantry's others are the account's and the proxy's. */
  function isServicePath(path: string): boolean {
    if (isProxyPath(path)) return path.startsWith('/gantry/media/') || path.startsWith('/gantry/admin/records');
    return isGantryPath(path) && !account.serves(path);
  }

  const { handler, isAppsHost, isOwnHost } = createHandler({
    options,
    stores,
    proxy,
    routes: [...service.routes, ...account.routes],
    readiness: createReadiness(db),
    answerSite,
    async close() {
      for (const stop of timers) stop();
      await service.close();
      await db.close();
    },
  });

  return {
    ...handler,
    paths: gantryPaths,
    serves: ({ host, rawTarget }) => isGantryPath(pathOf(rawTarget)) || isAppsHost(host),
    direct(incoming) {
      if (!isOwnHost(incoming.host)) return undefined;
      const path = pathOf(incoming.rawTarget);
      if (monitoringPaths.has(path)) return undefined;
      return isServicePath(path) ? service.answer(incoming) : proxy.direct(incoming);
    },
    streams: (request) => isUpload(request) || isRegistryPath(pathOf(request.rawTarget)),
    async saveRecords(records) {
      if (!Array.isArray(records)) throw new SocialError('BAD_REQUEST', 'Records must be a list.');
      const saved = await saveRecords(db, records, { ...writing, nowMs: now() });
      if (!('problems' in saved)) return saved;
      const [first] = saved.problems;
      throw new SocialError('BAD_REQUEST', `Record ${first?.index}: ${first?.message}.`);
    },
  };
}

/** Makes service, account and proxy over one database. */
async function createParts(stores: OpenStores, options: CheckedOptions) {
  const { url, viewer, viewerKey, signInUrl, log, telemetry, documents } = options;
  const { secretKey, mediaFolder, bucket, nonces, publicKey } = stores;
  const { now = Date.now, random, pause, every, middleware, observe } = options;
  // An absent option is left out, so that each part uses its own default.
  const time = { now, ...(every && { every }) };
  const chance = random && { random };
  const measured = measuredDatabase(stores.db, telemetry.metrics.stored, telemetry.metrics.routed);
  const feed = createChangeFeed({ db: measured, log: siteChanges, wakes: measured.wakes, ...time });
  const db = notifyOnWrite(measured, siteChanges, feed.wake);
  const takeRate = siteRates(db, options);
  const passwords = createPasswords({ permit: options.hashPermit, ...chance });
  const shared = { db, publicUrl: url, secretKey, mediaFolder, bucket, passwords, now, ...chance, log };
  const service = await createService({
    ...shared,
    nonces,
    takeRate,
    ...(publicKey !== undefined && { publicKey }),
    alsoRemove: forgetMembers,
    observe: telemetry.answered,
  });
  const installs = siteHaving(db);
  const saveMember = createMemberClaims({ db, now, log, alsoRemove: forgetMembers });
  const decisions = { db, changes: siteChanges, installs, now, log };
  const account = createAccount({
    ...shared,
    viewer:
      (viewer && createSessionViewer(viewer, () => telemetry.contexts.getStore()?.incoming)) ??
      (viewerKey && createTokenViewer({ key: viewerKey, site: url, now, log, saveMember })),
    signInUrl,
    pageApps: {
      list: (viewer, language) => listGrants(db, viewer, language),
      revoke: (viewer, app, { removesData }) => revokeGrants(decisions, { viewer, app, removesData }),
    },
  });
  const proxy = createProxy({
    ...proxyOptions(options, stores, []),
    db,
    takeRate,
    upstream: createServiceUpstream(service),
    confirms: service.confirms,
    paused: isInactive(sql`app_registrations.id`),
    upstreamUrl: `${url}/social/rest`,
    apps: siteApps({ ...stores, db }, { issuesKeys: true, now }),
    honoursKeys: true,
    installs,
    changes: {
      feed,
      log: siteChanges,
      cacheFeed: createChangeFeed({ db: measured, log: siteChanges, lookEveryMs: 5_000, ...time }),
      audience: createAudience(db),
    },
    viewer: account.viewer,
    ...(documents !== undefined && { documents }),
    observe: observe ? combineObservers(telemetry.metrics.proxied, observe) : telemetry.metrics.proxied,
    ...time,
    ...chance,
    ...(pause && { pause }),
    ...(middleware && { middleware }),
  });

  const timers = [pruneChanges({ db: measured, log: siteChanges, ...time })];
  if (isPostgres(options.database)) timers.push(watchClock({ db: measured, log, ...time }));
  return { db, passwords, service, account, proxy, timers };
}

function isProxyPath(path: string): boolean {
  return path === '/gantry' || path.startsWith('/gantry/');
}

/** Redirects the root to the account's pages: there is no site around them. */
async function withoutSite({ url }: Request): Promise<Response> {
  if (new URL(url).pathname === '/') return new Response(null, { status: 303, headers: { Location: '/account' } });
  throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
}
