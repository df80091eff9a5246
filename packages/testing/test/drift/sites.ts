import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createRecord, type Record } from '@gantry/lab';
import { readPageEvent } from '@gantry/lab/host';
import { listApps, proxyChangeLog, saveDecision } from '@gantry/proxy';
import {
  addApp,
  createSiteProxy,
  type RunningServer,
  readServerConfiguration,
  type Stores,
  siteHaving,
  startServer,
} from '@gantry/server';
import { importWorld, siteChanges } from '@gantry/service';
import pino from 'pino';
import { createPermissions, type Permissions, permissionNames } from '../../../lab/src/permissions.ts';
import { viewerKey, viewerToken } from '../../../server/test/viewer-token.ts';
import { appId, consumer, world } from './world.ts';

/** A running site with the page of the kit, on which gadgets are mounted for any member. */
export interface Site {
  readonly url: string;
  readonly record: Record;
  close(): Promise<void>;
}

const personaHeader = 'gantry-persona';
const log = pino({ level: 'silent' });

/**
 * `gantry serve`, with members that the page names. @param database Address of a PostgreSQL.
 * Default: SQLite.
 */
export async function openServe(
  folder: string,
  database?: string,
): Promise<Site & { readonly permissions: Permissions }> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-drift-'));
  const record = createRecord();
  const flags = ['--port', '0', '--data', data, ...(database === undefined ? [] : ['--database', database])];
  let permissions: Permissions | undefined;
  const server = await startServer({
    configuration: readServerConfiguration(flags, {}),
    viewer: async ({ headers }) => ready(permissions, headers.get(personaHeader)),
    site: kitPage(record),
    async prepare(stores) {
      const { db } = stores;
      await importWorld(db, world, { ...stores, folder: data });
      await addApp(stores, { id: appId, folder, live: true, trusted: false });
      permissions = createPermissions({ db, changes: siteChanges, installs: siteHaving(db), now: Date.now, log });
      await permissions.set('all');
    },
  });
  return {
    ...{ url: server.url, record, permissions: permissions as unknown as Permissions },
    close: () => closeAll([server], data),
  };
}

/** `gantry proxy` before a `gantry serve`, behind a site whose pages send `/gantry/` there. */
export async function openProxied(folder: string): Promise<Site> {
  const upstream = await openServe(folder);
  const data = await mkdtemp(join(tmpdir(), 'gantry-drift-'));
  const record = createRecord();
  const page = kitPage(record);
  const admitted = new Map<string, Promise<unknown>>();
  let admit = async (_viewer: string): Promise<unknown> => undefined;
  let proxyPort = 0;
  const front = createServer((incoming, outgoing) => {
    void (incoming.url?.startsWith('/gantry/') ? passOn(incoming, outgoing) : answer(incoming, outgoing));
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const viewer = incoming.headers[personaHeader] as string | undefined;
    if (viewer !== undefined) {
      if (!admitted.has(viewer)) admitted.set(viewer, Promise.all([admit(viewer), upstream.permissions.ready(viewer)]));
      await admitted.get(viewer);
    }
    const headers = {
      ...incoming.headers,
      ...(viewer !== undefined && { authorization: `Bearer ${viewerToken(viewer, url)}` }),
    };
    const passed = request(
      { host: '127.0.0.1', port: proxyPort, method: incoming.method, path: incoming.url, headers },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = (await incoming.toArray()).join('');
    const response = await page(
      new Request(url + incoming.url, { method: incoming.method ?? 'GET', ...(body && { body }) }),
    );
    outgoing
      .writeHead(response.status, Object.fromEntries(response.headers))
      .end(Buffer.from(await response.arrayBuffer()));
  }

  const configuration = readServerConfiguration(['--port', '0', '--data', data, '--url', url], {
    GANTRY_VIEWER_KEY: viewerKey,
  });
  const server = await startServer({
    configuration,
    viewer: async () => undefined,
    site: page,
    create: (options) =>
      createSiteProxy({ ...options, upstreamUrl: `${upstream.url}/social/rest`, mediaOrigins: [], honoursKeys: true }),
    async prepare(stores: Stores) {
      await addApp(stores, { id: appId, folder, live: true, trusted: false, consumer });
      const { db } = stores;
      const [app] = await listApps(db);
      const grant = app ? permissionNames(app) : [];
      admit = (viewer) =>
        saveDecision(
          { db, changes: proxyChangeLog, installs: undefined, now: Date.now, log },
          { viewer, app: appId, grant },
        );
    },
  });
  proxyPort = server.port;
  return {
    ...{ url, record },
    async close() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await closeAll([server], data);
      await upstream.close();
    },
  };
}

async function closeAll(servers: readonly RunningServer[], data: string): Promise<void> {
  for (const server of servers) await server.close();
  await rm(data, { recursive: true, force: true });
}

async function ready(permissions: Permissions | undefined, persona: string | null): Promise<string | undefined> {
  return persona !== null && (await permissions?.ready(persona)) ? persona : undefined;
}

const dist = join(import.meta.dirname, '..', '..', 'dist', 'page');
const types: Readonly<{ [extension: string]: string }> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the page of the kit, and takes what it has seen. */
function kitPage(record: Record): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/kit/record') {
      for (const one of (await request.json()) as unknown[]) {
        const event = readPageEvent(one);
        if (event) record.add(event);
      }
      return new Response(null, { status: 204 });
    }
    const file = pathname === '/' ? 'index.html' : pathname.replace(/^\/kit\/page\//, '');
    const content = await readFile(join(dist, file)).catch(() => undefined);
    if (!content) return new Response(null, { status: 404 });
    return new Response(new Uint8Array(content), { headers: { 'Content-Type': types[extname(file)] ?? 'text/plain' } });
  };
}
