import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createRecord, type Record } from '@gantry/lab';
import { createLabDocuments, isTopLevel, pageHeaders, refusalOf } from '@gantry/lab/host';
import type { Explainer } from '@gantry/lab/record';
import { SocialError } from '@gantry/wire';
import { terminalText } from '@gantry/wire/runtime';
import { createAppKnowledge } from './app-knowledge.ts';
import { type AppEvents, openDevApps } from './dev-apps.ts';
import { keepUse } from './keep-use.ts';
import { createLabs } from './labs.ts';
import { listenLocally } from './listen.ts';
import { pageFiles } from './page-files.ts';
import type { HotAnswer } from './protocol.ts';
import { createRecordRoute } from './record-route.ts';
import { type Route, sendJson } from './route.ts';
import { createStories, createStoriesRoute, renamesIn, type Stories } from './stories/stories.ts';
import { createTapeRoute, type OpenedTape } from './tape/tape-route.ts';

export interface DevOptions {
  /** Folders of apps, each with its `gadget.json`, or http addresses of their own dev servers. */
  readonly folders: readonly string[];
  /** 0 lets the system choose. Absent: 4500, or the next that is free. */
  readonly port?: number;
  /** Folder in which the data of the run stays. Default: it goes with the run. */
  readonly keep?: string | undefined;
  /** Compares files every 0.1 s, for folders whose changes the system does not report. */
  readonly poll?: boolean | undefined;
  /** Shown at `/tape`. */
  readonly tape?: OpenedTape | undefined;
}

export interface DevServer {
  readonly url: string;
  readonly record: Record;
  /** Apps under development, with a folder here or a server of their own. */
  readonly apps: readonly { readonly id: string; readonly folder?: string; readonly url?: string }[];
  /** Lines for people who start it. */
  readonly notices: readonly string[];
  /** Makes an explainer of the record's entries. */
  createExplainer(): Explainer;
  readonly stories: Pick<Stories, 'list'>;
  close(): Promise<void>;
}

/** Lab of entries that concern no lab. */
const noLab = 'dev';
const agentFile = join(import.meta.dirname, '..', 'dist', 'agent', 'agent.js');

/**
 * Starts the dev host on 127.0.0.1.
 *
 * @throws UsageError in one line for a folder that is none, a taken port, a missing Vite or a
 * server that cannot be shown.
 */
export async function startDevServer({ folders, port: wanted, keep, poll, tape }: DevOptions): Promise<DevServer> {
  const record = createRecord();
  const run = randomBytes(9).toString('base64url');
  const knowledge = createAppKnowledge({
    folderOf: (app) => apps.folders.find(({ id }) => id === app)?.folder,
    url: () => url,
  });
  const { route: recordRoute, events } = createRecordRoute(record, {
    explain: knowledge.createExplainer(),
    places: knowledge.places,
  });
  // Folders send events, and pages requests, before the parts that answer them exist.
  const assembled = Promise.withResolvers<void>();
  const onceAssembled =
    <Args extends unknown[]>(act: (...args: Args) => unknown) =>
    async (...args: Args): Promise<unknown> => {
      await assembled.promise;
      return act(...args);
    };
  const server = createServer(onceAssembled(answer));
  server.on('upgrade', upgrade);
  const appEvents: AppEvents = {
    happened: onceAssembled((app, event) => record.add({ lab: noLab, app, ...event })),
    reload: onceAssembled((app, why) =>
      events.send({ type: 'reload', app, why, ...(why === 'gadget.json' && { mount: true }) }),
    ),
    build: onceAssembled((app, problem) => {
      const { message, file, line = 1, column, frame } = problem ?? {};
      const where = file === undefined ? {} : { where: { file, line, ...(column !== undefined && { column }) } };
      const facts =
        message === undefined ? {} : { problem: { message, ...where, ...(frame !== undefined && { frame }) } };
      record.add({ lab: noLab, app, kind: 'build', ...facts });
      events.send({ type: 'build', app, ...(problem && { problem }) });
    }),
    manifest: onceAssembled((app) => labs.update(app)),
    changed: onceAssembled((app, path) => {
      use.changed(app, path);
      if (/\.(?:gadget|stories)\.[cm]?[jt]sx?$/.test(path)) events.send({ type: 'stories' });
    }),
  };
  const apps = await openDevApps({
    wanted: folders,
    pathOf: (app) => `/gantry/apps/${app}/${run}/`,
    events: appEvents,
    poll,
  });
  const { port, notice } = await listenLocally(server, wanted).catch(async (error: unknown) => {
    await apps.close();
    throw error;
  });
  const url = `http://127.0.0.1:${port}`;
  const renames = (await Promise.all(apps.folders.map(renamesIn))).flat();
  const agent = readFileSync(agentFile, 'utf8');
  const documents = createLabDocuments({
    run,
    agent,
    filesOf: apps.filesOf,
    settingsOf: (app, { lab, host = new URL(url).host }) => ({
      origin: `http://${host}`,
      app,
      clock: { aheadMs: 0 },
      ...(lab !== undefined && labs.frameOf(lab)),
    }),
  });
  const stories = createStories({ apps: () => apps.folders, onChange: () => events.send({ type: 'stories' }), poll });
  const labs = createLabs({ url, apps: () => apps.all, record, documents, stories, keep });
  const use = keepUse({ record, apps: () => apps.folders });
  /** Serves `GET /dev/hot`: socket addresses of builders, and build errors. */
  const hotRoute: Route = async ({ outgoing, method, path }) =>
    path === '/dev/hot' && method === 'GET' && sendJson(outgoing, { run, apps: apps.hot } satisfies HotAnswer);
  const routes: readonly Route[] = [
    pageFiles,
    labs.route,
    createStoriesRoute(stories),
    recordRoute,
    createTapeRoute({ opened: tape, createExplainer: knowledge.createExplainer, apps: () => apps.all }),
    hotRoute,
  ];

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await serve(incoming, outgoing);
    } catch (error) {
      const problem = error instanceof SocialError ? error : new SocialError('INTERNAL', (error as Error).message);
      if (!outgoing.headersSent)
        outgoing.writeHead(problem.status, { 'Content-Type': 'application/json; charset=utf-8' });
      outgoing.end(JSON.stringify({ error: problem.toWire() }));
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const target = incoming.url ?? '/';
    if (!URL.canParse(target, url)) return void outgoing.writeHead(400).end();
    const { pathname: path, searchParams: search } = new URL(target, url);
    for (const [name, value] of headersFor(incoming)) outgoing.setHeader(name, value);
    const refusal = refusalOf(incoming, path, port);
    if (refusal !== undefined) {
      outgoing.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${refusal}\n`);
      return;
    }
    if (path.startsWith('/gantry/apps/') && isTopLevel(incoming)) {
      const [, app] = /^\/gantry\/apps\/([\w-]+)\//.exec(path) ?? []; // ids of the dev host have no other characters
      outgoing.writeHead(302, { Location: app === undefined ? '/' : `/?app=${app}` }).end();
      return;
    }
    for (const route of routes) {
      if (await route({ incoming, outgoing, method: incoming.method ?? 'GET', path, search })) return;
    }
    if (path.startsWith('/dev/')) outgoing.writeHead(404).end();
    else labs.pass(incoming, outgoing);
  }

  function headersFor({ headers }: IncomingMessage): readonly (readonly [string, string])[] {
    const host = headers.host === `localhost:${port}` ? headers.host : `127.0.0.1:${port}`;
    return Object.entries(pageHeaders({ host, remote: apps.remoteOrigins }));
  }

  function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host, origin } = incoming.headers;
    const isOwn = refusalOf(incoming, '/', port) === undefined && origin === `http://${host}`;
    const isHot = incoming.headers['sec-websocket-protocol'] === 'vite-hmr';
    if (!isOwn || !isHot || !apps.upgrade(incoming, socket, head)) {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    }
  }

  assembled.resolve();
  return {
    url,
    record,
    apps: apps.all,
    notices: [...(notice === undefined ? [] : [notice]), ...renames.map(({ message }) => terminalText(message))],
    createExplainer: knowledge.createExplainer,
    stories,
    async close() {
      events.close();
      await apps.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await labs.close();
      await stories.close();
      await use.close();
    },
  };
}
