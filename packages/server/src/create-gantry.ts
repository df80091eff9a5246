import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  createProxy,
  createServiceUpstream,
  forgetMember,
  listGrants,
  type ProxyObserver,
  proxyMigrations,
  revokeGrants,
} from '@gantry/proxy';
import {
  type Answer,
  createAccount,
  createAudience,
  createPasswords,
  createService,
  isInactive,
  isLoopbackAlias,
  isUpload,
  saveRecords,
  serviceMigrations,
  siteChanges,
  type Viewer,
} from '@gantry/service';
import { createChangeFeed, keepChanges, migrate, sql } from '@gantry/store';
import { gantryPaths, isGantryPath, release, SocialError } from '@gantry/wire';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { defaultLimits } from './edge/limits.ts';
import { answerFailures } from './failure-response.ts';
import type { Gantry, GantryOptions, SiteViewer, Stores } from './gantry.ts';
import { createIntroductions } from './introductions.ts';
import { isHostOf } from './is-host-of.ts';
import { readKeys } from './keys.ts';
import { measuredDatabase } from './measured-database.ts';
import { openDatabase, openSharedNonces } from './open-database.ts';
import { createOpenRequests } from './open-requests.ts';
import { pageRequest } from './page-request.ts';
import { pathOf } from './path-of.ts';
import { createReadiness } from './readiness.ts';
import { scriptFiles } from './script-files.ts';
import { settleAfterUpgrade } from './settle.ts';
import { siteHaving, siteMigrations } from './site-having.ts';
import { readSitePublicKey } from './site-key.ts';
import type { OpenStores } from './tool-options.ts';
import { createTokenViewer } from './viewer-token.ts';
import { createVitalPaths } from './vital-paths.ts';
import { wakingDatabase } from './waking-database.ts';

/**
 * Opens the data folder and brings its schema up to date.
 *
 * @param options.bulk For long work that can be repeated: faster, and safe from `kill -9`, but not from power loss.
 * @throws Error with one clear sentence where keys, schema or folder are not usable.
 */
export async function openStores(
  { data, database }: Pick<CheckedOptions, 'data' | 'database'>,
  { bulk = false }: { readonly bulk?: boolean } = {},
): Promise<Stores> {
  const mediaFolder = join(data, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const db = await openDatabase(database, { bulk });
  try {
    await migrate(db, { name: 'service', migrations: serviceMigrations, release });
    await migrate(db, { name: 'proxy', migrations: proxyMigrations, release });
    await migrate(db, siteMigrations());
  } catch (error) {
    await db.close();
    throw error;
  }
  return { db, ...keys, mediaFolder };
}

/**
 * Puts service and proxy together for one site.
 *
 * @example
 * const gantry = await createGantry({ data: './data', url: 'https://social.example', viewer: memberOf });
 * createServer(toNodeListener(gantry)).listen(4400);
 * @param given.viewer Names the signed-in member of a request, or `undefined`.
 * @throws UsageError if an option is not what it should be, such as a `url` that is no origin.
 * @throws Error with one clear sentence where keys, schema or folder are not usable.
 */
export async function createGantry(given: GantryOptions): Promise<Gantry> {
  const options = checkOptions(given);
  try {
    if (options.stores) return await createOver(options.stores, options);
    const stores = await openStores(options);
    return await openRest(stores, options)
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

async function openRest(stores: Stores, { data, database, now }: CheckedOptions): Promise<OpenStores> {
  const nonces = await openSharedNonces(database, join(data, 'nonces'), now && { now });
  return { ...stores, nonces, publicKey: await readSitePublicKey(data) };
}

async function createOver(stores: OpenStores, options: CheckedOptions): Promise<Gantry> {
  const {
    data,
    url,
    appsHost,
    viewerKey,
    signInUrl,
    site = nothingHere,
    log,
    telemetry,
    metricsToken,
    callsPerMinute,
    documents,
  } = options;
  const own = new URL(url);
  const { secretKey, tokenKeys, mediaFolder, nonces, publicKey } = stores;
  const { now = Date.now, random, pause, every, stage, observe } = options;
  // An option that is not given is left out, so that each part uses its own.
  const time = { now, ...(every && { every }) };
  const chance = random && { random };
  const measured = measuredDatabase(stores.db, telemetry.stored);
  const feed = createChangeFeed({ db: measured, log: siteChanges, ...time });
  const db = wakingDatabase(measured, siteChanges, feed.wake);
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
  const having = siteHaving(db);
  const introduce = createIntroductions({ db, now, log });
  const decisions = { db, changes: siteChanges, having, now, log };
  const account = createAccount({
    db,
    publicUrl: url,
    secretKey,
    mediaFolder,
    passwords,
    viewer: ownViewer(options) ?? (viewerKey && createTokenViewer({ key: viewerKey, site: url, now, log, introduce })),
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
    having,
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
    log,
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(documents !== undefined && { documents }),
    requestId: telemetry.requestId,
    observe: observe ? bothObservers(telemetry.proxied, observe) : telemetry.proxied,
    ...time,
    ...chance,
    ...(pause && { pause }),
    ...(stage && { stage }),
  });

  telemetry.metrics.streams(() => proxy.streams);
  const vital = createVitalPaths({ readiness: createReadiness(db), url, telemetry, metricsToken });

  async function answer(request: Request, rawTarget: string): Promise<Response> {
    const address = new URL(request.url);
    const answered = vital(request, address.pathname);
    if (answered) return answered;
    if (isHostOf(address.host, url) || isLoopbackAlias(address, own)) return answerSite(request, rawTarget, address);
    if (appsHost !== undefined && isHostOf(address.host, appsHost)) return proxy.handle(request);
    throw new SocialError('MISDIRECTED', `This server answers for ${url}, not for ${address.host}.`);
  }

  async function answerSite(request: Request, rawTarget: string, address: URL): Promise<Response> {
    const path = address.pathname;
    if (isServicePath(path)) return service.handle(request, rawTarget);
    // A frame's ancestors are named by one address, so pages are shown at that address only.
    if (!isHostOf(address.host, url) && request.method === 'GET') return Response.redirect(url + rawTarget, 307);
    if (account.serves(path)) return response(await account.handle(request, telemetry.contexts.getStore()?.client));
    return isProxyPath(path) ? proxy.handle(request) : site(request, stores);
  }

  /** Returns whether a path is the service's; the rest of Gantry's are those of the account and of the proxy. */
  function isServicePath(path: string): boolean {
    if (isProxyPath(path)) return path.startsWith('/gantry/media/') || path.startsWith('/gantry/admin/records');
    return isGantryPath(path) && !account.serves(path);
  }

  const ownHost = own.host;
  const forgetChanges = keepChanges({ db: measured, log: siteChanges, ...time });
  const endSettling = settleAfterUpgrade(db, { log, ...time });

  const openRequests = createOpenRequests();
  let closed: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    proxy.endStreams();
    await openRequests.drain(defaultLimits.requestMs);
    proxy.close();
    forgetChanges();
    endSettling();
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
      isGantryPath(pathOf(rawTarget)) || (appsHost !== undefined && isHostOf(host, appsHost)),
    direct(incoming) {
      if (incoming.host !== ownHost) return undefined;
      const path = pathOf(incoming.rawTarget);
      if (watchedPaths.has(path)) return undefined;
      return isServicePath(path) ? service.answer(incoming) : proxy.direct(pageRequest(incoming));
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
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** Tells a tool what the telemetry hears. */
function bothObservers(telemetry: ProxyObserver, tool: Partial<ProxyObserver>): ProxyObserver {
  return {
    attempt(attempt) {
      telemetry.attempt(attempt);
      tool.attempt?.(attempt);
    },
    cache(outcome, asking) {
      telemetry.cache(outcome, asking);
      tool.cache?.(outcome, asking);
    },
    limited(limit, who) {
      telemetry.limited(limit, who);
      tool.limited?.(limit, who);
    },
    breaker(state) {
      telemetry.breaker(state);
      tool.breaker?.(state);
    },
    ...(tool.refused && { refused: tool.refused }),
  };
}

/** Gives the site's own function the request of Node's, too. */
function ownViewer({ viewer, telemetry }: CheckedOptions): Viewer | undefined {
  if (viewer === undefined) return undefined;
  return async (request) => checkedMember(await viewer(request, telemetry.contexts.getStore()?.incoming));
}

/** @throws TypeError for an id that is a number, as keys of tables often are: nobody would be signed in, without a word. */
function checkedMember(id: Awaited<ReturnType<SiteViewer>>): string | undefined {
  if (id === undefined || typeof id === 'string') return id;
  if (id === null) return undefined;
  throw new TypeError(`viewer must return the member's id as text or undefined, not ${typeof id}.`);
}

/** For those who watch a server, by whatever name they reach it: `fetch` has them. */
const watchedPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

function isProxyPath(path: string): boolean {
  return path === '/gantry' || path.startsWith('/gantry/');
}

/** Where there is no site around it, the account's pages are what people come for. */
async function nothingHere({ url }: Request): Promise<Response> {
  if (new URL(url).pathname === '/') return new Response(null, { status: 303, headers: { Location: '/account' } });
  throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
}

function response({ status, headers, body }: Answer): Response {
  return new Response(typeof body === 'object' && body !== null ? Buffer.from(body) : body, { status, headers });
}
