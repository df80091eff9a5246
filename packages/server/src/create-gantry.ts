import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createProxy,
  createServiceUpstream,
  forgetMember,
  listGrants,
  proxyMigrations,
  revokeGrants,
} from '@gantry/proxy';
import {
  type Answer,
  createAccount,
  createAudience,
  createPasswords,
  createService,
  type HashPermit,
  isInactive,
  isLoopbackAlias,
  isUpload,
  serviceMigrations,
  siteChanges,
  type Viewer,
} from '@gantry/service';
import { createChangeFeed, type Database, keepChanges, migrate, sql } from '@gantry/store';
import { isGantryPath, SocialError } from '@gantry/wire';
import type { Logger } from 'pino';
import { answerFailures } from './failure-response.ts';
import { isHostOf } from './is-host-of.ts';
import { type Keys, readKeys } from './keys.ts';
import { measuredDatabase } from './measured-database.ts';
import type { Arrived, Direct } from './node-server.ts';
import { openDatabase, openSharedNonces } from './open-database.ts';
import { pageRequest } from './page-request.ts';
import { createReadiness } from './readiness.ts';
import { siteHaving, siteMigrations } from './site-having.ts';
import { readSitePublicKey } from './site-key.ts';
import type { Telemetry } from './telemetry.ts';
import { createTokenViewer } from './viewer-token.ts';
import { createVitalPaths } from './vital-paths.ts';
import { wakingDatabase } from './waking-database.ts';

export interface GantryOptions {
  /** Folder of keys, media and, unless `database` says otherwise, the database. Made where missing. */
  readonly data: string;
  /** SQLite file, or the `postgres://` address of a server. */
  readonly database: string;
  /** Public address of the site, an origin. It is signed, printed and prefixed to every URL in answers. */
  readonly url: string;
  /** Origin of app documents; one that begins with `*.` gives each app its own. Absent: the site's host, kept opaque. */
  readonly appsHost?: string | undefined;
  /** Names the signed-in member of a request, for gadgets and for the account's pages. Absent: they sign in at `/account/sign-in`. */
  readonly viewer?: Viewer | undefined;
  /** Instead of `viewer`: the key of tokens that say who is signed in, made by a site in another language. At least 32 bytes. */
  readonly viewerKey?: Uint8Array | undefined;
  /** Where members sign in, for a site with a sign-in of its own. It gets `?return=`, a path to come back to. */
  readonly signInUrl?: string | undefined;
  /** Answers what is not Gantry's: the site's own pages. */
  readonly site?: ((request: Request, stores: Stores) => Promise<Response>) | undefined;
  readonly log: Logger;
  /** Counts the work, names the requests and answers `/metrics`. Absent: none of that. */
  readonly telemetry?: Telemetry | undefined;
  /** Calls that one member's use of one app may make in a minute; 0 is no limit. */
  readonly callsPerMinute?: number | undefined;
  /** Shares the processors that hash passwords with other workers. Absent: there are none. */
  readonly hashPermit?: HashPermit | undefined;
  /** What a reader of `/metrics` sends as `Authorization: Bearer`. Absent: only this machine reads, and only of a local site. */
  readonly metricsToken?: string | undefined;
}

/** Service and proxy in one process, over one database. */
export interface Gantry {
  /**
   * Answers one request.
   *
   * @param rawTarget Path and query exactly as the client sent them; OAuth signatures cover those bytes.
   */
  fetch(request: Request, rawTarget: string): Promise<Response>;
  /** `fetch` for the paths of the service and the calls of pages, without a `Request`; `undefined` for any other. */
  readonly direct: Direct;
  /** Whether `fetch` takes a request's body piece by piece, with a limit of its own: photos that members upload. */
  streams(request: Pick<Arrived, 'method' | 'rawTarget'>): boolean;
  readonly stores: Stores;
  /** Ends the streams of events, which would otherwise keep a server from stopping, and refuses new ones. */
  leave(): void;
  close(): Promise<void>;
}

/** What the commands work on. */
export interface Stores extends Keys {
  readonly db: Database;
  readonly mediaFolder: string;
}

/**
 * Opens the data folder and brings its schema up to date.
 *
 * @param options.bulk For long work that can be repeated: faster, and safe from `kill -9`, but not from power loss.
 * @throws Error with one clear sentence where keys, schema or folder are not usable.
 */
export async function openStores(
  { data, database }: Pick<GantryOptions, 'data' | 'database'>,
  { bulk = false }: { readonly bulk?: boolean } = {},
): Promise<Stores> {
  const mediaFolder = join(data, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const db = await openDatabase(database, { bulk });
  try {
    await migrate(db, { name: 'service', migrations: serviceMigrations });
    await migrate(db, { name: 'proxy', migrations: proxyMigrations });
    await migrate(db, siteMigrations());
  } catch (error) {
    await db.close();
    throw error;
  }
  return { db, ...keys, mediaFolder };
}

/** Puts service and proxy behind one `fetch`. */
export async function createGantry(options: GantryOptions): Promise<Gantry> {
  const stores = await openStores(options);
  try {
    return await createOver(stores, options);
  } catch (error) {
    await stores.db.close();
    throw error;
  }
}

async function createOver(stores: Stores, options: GantryOptions): Promise<Gantry> {
  const {
    data,
    database,
    url,
    appsHost,
    viewerKey,
    signInUrl,
    site = nothingHere,
    log,
    telemetry,
    metricsToken,
    callsPerMinute,
  } = options;
  const own = new URL(url);
  const { secretKey, tokenKeys, mediaFolder } = stores;
  const measured = telemetry ? measuredDatabase(stores.db, telemetry.stored) : stores.db;
  const feed = createChangeFeed({ db: measured, log: siteChanges });
  const db = wakingDatabase(measured, siteChanges, feed.wake);
  const nonces = await openSharedNonces(database, join(data, 'nonces'));
  const publicKey = await readSitePublicKey(data);
  const passwords = createPasswords({ permit: options.hashPermit });
  const service = await createService({
    db,
    nonces,
    secretKey,
    mediaFolder,
    publicUrl: url,
    publicKey,
    passwords,
    alsoRemove: forgetMember,
    log,
    ...(telemetry && { observe: telemetry.answered }),
  });
  const having = siteHaving(db);
  const decisions = { db, changes: siteChanges, having, now: Date.now, log };
  const account = createAccount({
    db,
    publicUrl: url,
    secretKey,
    mediaFolder,
    passwords,
    viewer: options.viewer ?? (viewerKey && createTokenViewer({ key: viewerKey, site: url, log })),
    signInUrl,
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
    readTokenKeys: () => readKeys(data).tokenKeys,
    upstream: createServiceUpstream(service),
    confirms: service.confirms,
    paused: isInactive(sql`app_registrations.id`),
    upstreamUrl: `${url}/social/rest`,
    honoursKeys: true,
    having,
    changes: {
      feed,
      log: siteChanges,
      cacheFeed: createChangeFeed({ db: measured, log: siteChanges, lookEveryMs: 5_000 }),
      audience: createAudience(db),
    },
    publicUrl: url,
    ...(appsHost !== undefined && { appsHost }),
    viewer: account.viewer,
    scripts: { osapi: scriptFile('@gantry/osapi/osapi.js'), container: scriptFile('@gantry/container/container.js') },
    log,
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(telemetry && { requestId: telemetry.requestId, observe: telemetry.proxied }),
  });

  telemetry?.metrics.streams(() => proxy.streams);
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
    if (account.serves(path)) return response(await account.handle(request, telemetry?.contexts.getStore()?.client));
    return isProxyPath(path) ? proxy.handle(request) : site(request, stores);
  }

  /** Returns whether a path is the service's; the rest of Gantry's are those of the account and of the proxy. */
  function isServicePath(path: string): boolean {
    if (isProxyPath(path)) return path.startsWith('/gantry/media/') || path.startsWith('/gantry/admin/records');
    return isGantryPath(path) && !account.serves(path);
  }

  const ownHost = own.host;
  const forgetChanges = keepChanges({ db: measured, log: siteChanges });

  return {
    stores,
    direct(incoming) {
      if (incoming.host !== ownHost) return undefined;
      const path = pathOf(incoming.rawTarget);
      if (watchedPaths.has(path)) return undefined;
      return isServicePath(path) ? service.answer(incoming) : proxy.direct(pageRequest(incoming));
    },
    streams: isUpload,
    fetch: answerFailures(answer, log),
    leave: proxy.endStreams,
    async close() {
      proxy.close();
      forgetChanges();
      await service.close();
      await db.close();
    },
  };
}

/** For those who watch a server, by whatever name they reach it: `fetch` has them. */
const watchedPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

function isProxyPath(path: string): boolean {
  return path === '/gantry' || path.startsWith('/gantry/');
}

function pathOf(rawTarget: string): string {
  const query = rawTarget.indexOf('?');
  return query === -1 ? rawTarget : rawTarget.slice(0, query);
}

/** Where there is no site around it, the account's pages are what people come for. */
async function nothingHere({ url }: Request): Promise<Response> {
  if (new URL(url).pathname === '/') return new Response(null, { status: 303, headers: { Location: '/account' } });
  throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
}

function response({ status, headers, body }: Answer): Response {
  return new Response(typeof body === 'object' && body !== null ? Buffer.from(body) : body, { status, headers });
}

function scriptFile(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}
