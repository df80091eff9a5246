import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signRequest } from '@gantry/oauth';
import { addApp, readServerConfiguration, type Stores, startServer } from '@gantry/server';
import { addConsumer, importWorld } from '@gantry/service';
import { defaultLimits, type Limits } from '../packages/server/src/edge/limits.ts';
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

/** Starts the measured site in a new folder. `/static` serves a friends list without any work. */
export async function startBenchSite(limits = patient): Promise<BenchSite> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  let friends = '';
  const server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data], { GANTRY_CALLS_PER_MINUTE: '0' }),
    viewer: async () => '1',
    limits,
    site: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/static')
        return new Response(friends, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
      return pathname === '/bench/people.json' ? Response.json(collection(friends)) : file(pathname);
    },
    prepare: async (stores) => {
      await importWorld(stores.db, world, { ...stores, folder: data });
      for (const [id, name] of [
        ['bench', 'app'],
        ['crossing', 'crossing'],
      ] as const) {
        await addApp(stores, { id, folder: fileURLToPath(new URL(name, import.meta.url)), trusted: true });
      }
    },
  });
  const { db, secretKey } = server.stores;
  const consumer = await addConsumer(db, { secretKey, kind: 'member', memberId: '1' });
  friends = await (await fetch(friendsUrl(server.url), { headers: signed(server.url, consumer) })).text();
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

/** Headers of one verified request for `friendsUrl`. */
export function signed(site: string, consumer: BenchSite['consumer']): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const { authorization } = signRequest({
    method: 'GET',
    url: friendsUrl(site),
    consumer,
    timestamp,
    nonce: crypto.randomUUID(),
  });
  return { Authorization: authorization };
}

async function file(pathname: string): Promise<Response> {
  const name = pathname.slice('/bench/'.length);
  if (name === 'bare.js') return inertScript();
  if (name === 'comlink.js')
    return script(await readFile(fileURLToPath(import.meta.resolve('comlink/dist/esm/comlink.mjs')), 'utf8'));
  if (!['page.html', 'echo.html', 'gadgets.html', 'frames.html', 'bare.html'].includes(name))
    return new Response('', { status: 404 });
  return new Response(await readFile(new URL(name, import.meta.url)), {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Serves the SDK inside an uncalled function: the same bytes to load, but no work. */
async function inertScript(): Promise<Response> {
  const sdk = await readFile(fileURLToPath(import.meta.resolve('@gantry/osapi/osapi.js')), 'utf8');
  return script(`(() => {${sdk}\n})`);
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
