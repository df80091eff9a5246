import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signRequest } from '@gantry/oauth';
import { addApp, createGantry, openStores, readServerConfiguration, type Stores, startServer } from '@gantry/server';
import { addConsumer, importWorld, openNonceLog } from '@gantry/service';
import type { Database } from '@gantry/store';
import type { InstanceAnswer } from '@gantry/wire';
import { defaultLimits, type Limits } from '../packages/server/src/edge/limits.ts';
import { openFloor } from './floor/open-floor.ts';
import { world } from './world.ts';

export interface BenchSite {
  readonly url: string;
  /** A consumer that speaks for member 1. */
  readonly consumer: { readonly key: string; readonly secret: string };
  readonly stores: Stores;
  close(): Promise<void>;
}

/** Other work on the machine must not cause shedding. */
const patient: Limits = { ...defaultLimits, inFlight: 100_000, lagMs: 60_000, waitMs: 60_000, standingWaitMs: 60_000 };

const apps = { bench: 'app', list: 'list-app', crossing: 'crossing' };
const files = [
  'page.html',
  'echo.html',
  'gadgets.html',
  'frames.html',
  'bare.html',
  'data.html',
  'floor/index.html',
  'floor/data.html',
];

export interface BenchSiteOptions {
  readonly limits?: Limits;
  /** Its own port, and the public address of what passes requests on. Default: a free port's. */
  readonly behind?: { readonly port: number; readonly url: string };
  /** Further HTML pages below `/bench/`, by name. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Wraps the database. */
  readonly over?: (db: Database) => Database;
  /** Names the member of a page's requests. Default: that of the header `viewer`, or 1. */
  readonly viewer?: (db: Database, request: Request) => Promise<string>;
}

/** Starts the measured site in a new folder. `/static` serves a friends list without any work. */
export async function startBenchSite(options: BenchSiteOptions = {}): Promise<BenchSite> {
  const {
    limits = patient,
    behind,
    pages = {},
    over = (db) => db,
    viewer = async (_, { headers }) => headers.get('viewer') ?? '1',
  } = options;
  const data = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const address = behind ? ['--port', String(behind.port), '--url', behind.url] : ['--port', '0'];
  let friends = '';
  let instances: readonly InstanceAnswer[] = [];
  const answerFloor = await openFloor({
    folder: data,
    opened: (app) => ({ instances, ...(app === 'list' && { data: collection(friends) }) }),
  });
  const server = await startServer({
    configuration: readServerConfiguration(['--data', data, ...address], { GANTRY_CALLS_PER_MINUTE: '0' }),
    viewer: (request) => viewer(db, request),
    limits,
    site: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/static')
        return new Response(friends, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
      if (pathname === '/bench/people.json') return Response.json(collection(friends));
      const page = pages[pathname.slice('/bench/'.length)];
      if (page !== undefined) return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      const fill = (text: string) => text.replace('PEOPLE', JSON.stringify(collection(friends)));
      return answerFloor(request) ?? file(pathname, fill);
    },
    create: async (given) => {
      const stores = await openStores({ data, database: join(data, 'gantry.db') });
      const nonces = await openNonceLog(join(data, 'nonces'));
      return createGantry({ ...given, stores: { ...stores, db: over(stores.db), nonces } });
    },
    prepare: async (stores) => {
      await importWorld(stores.db, world, { ...stores, folder: data });
      for (const [id, folder] of Object.entries(apps)) {
        const place = fileURLToPath(new URL(folder, import.meta.url));
        await addApp(stores, { id, folder: place, live: true, trusted: true });
      }
    },
  });
  const { db, secretKey } = server.stores;
  const consumer = await addConsumer(db, { secretKey, kind: 'member', memberId: '1' });
  friends = await (await fetch(friendsUrl(server.url), { headers: signed(server.url, consumer) })).text();
  instances = await openInstances(server.url);
  return {
    url: server.url,
    consumer,
    stores: server.stores,
    close: () => server.close().then(() => rm(data, { recursive: true })),
  };
}

export function friendsUrl(site: string): string {
  return `${site}/social/rest/people/@me/@friends?xoauth_requestor_id=1`;
}

/** Headers of one verified read. @param url Default: that of `friendsUrl`. */
export function signed(site: string, consumer: BenchSite['consumer'], url = friendsUrl(site)): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const { authorization } = signRequest({ method: 'GET', url, consumer, timestamp, nonce: crypto.randomUUID() });
  return { Authorization: authorization };
}

/** Opens an instance of each app as a page does. */
async function openInstances(site: string): Promise<readonly InstanceAnswer[]> {
  const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: site };
  const body = JSON.stringify(Object.keys(apps).map((app) => ({ app })));
  return (await fetch(`${site}/gantry/instances`, { method: 'POST', headers, body })).json();
}

async function file(pathname: string, fill: (text: string) => string): Promise<Response> {
  const name = pathname.slice('/bench/'.length);
  if (name === 'comlink.js')
    return script(await readFile(fileURLToPath(import.meta.resolve('comlink/dist/esm/comlink.mjs')), 'utf8'));
  if (!files.includes(name)) return new Response('', { status: 404 });
  return new Response(fill(await readFile(new URL(name, import.meta.url), 'utf8')), {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

function script(text: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' },
  });
}

// Converts the response for an app: the same data under the app's names.
function collection(body: string): unknown {
  const { entry, ...page } = JSON.parse(body);
  return { list: entry, ...page };
}
