import { existsSync, realpathSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { type AppFiles, type FileEvents, type FileRequest, fileOf, isPage } from '@gantry/lab/host';
import type { ViteModule } from '@gantry/lab/host/vite';
import { type AppFile, contentTypeOf, folderSource, noSuchFile } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import type { Plugin, ViteDevServer } from 'vite';
import { type BuildProblems, createBuildProblems, type TellBuild } from './build-problems.ts';
import { exchange, type MiddlewareAnswer } from './exchange.ts';
import { withOwnScripts } from './own-scripts.ts';
import { createResaves } from './resaves.ts';
import { createServedPaths } from './served-paths.ts';

export interface ViteFiles extends AppFiles {
  readonly socket: string;
  /** Passes on a checked upgrade request for Vite's socket. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const mostAsked = 10_000;

/**
 * Builds an app with Vite, by its own `vite.config`, file by file as its frames ask for them.
 *
 * @param options.base Path of the app's files on the dev host.
 * @param options.pages Paths of its pages: there Vite begins to look for packages to prepare.
 * @throws Error of Vite's, for a configuration that cannot be read.
 */
export async function createViteFiles(options: {
  readonly vite: ViteModule;
  readonly app: string;
  readonly folder: string;
  readonly base: string;
  readonly pages: readonly string[];
  readonly events: FileEvents;
  readonly tellBuild: TellBuild;
  readonly poll?: boolean | undefined;
}): Promise<ViteFiles> {
  const { vite, app, base, pages, events, poll } = options;
  const folder = realpathSync(options.folder);
  const cache = cacheOf(folder);
  const sockets = createHttpServer(); // does not listen: the dev host passes on checked requests
  const resaves = createResaves();
  const requestedFiles = new Set<string>(); // built or not
  let isOutdated = false; // a module changed since a page was last opened
  const problems: BuildProblems = createBuildProblems({ folder, tell: options.tellBuild, server: () => server });
  const logger = vite.createLogger('silent');
  logger.error = (message, { error } = {}) => {
    if (error) problems.add(error as Error);
    else if (!/dependency scan/.test(message)) problems.add(new Error(message)); // the error is reported again with its place
  };

  /** Returns whether Vite has built a file, or a module that imports it. */
  function isKnown(file: string): boolean {
    const modules = server?.environments.client?.moduleGraph.getModulesByFile(vite.normalizePath(file));
    return modules !== undefined && modules.size > 0;
  }

  function onFile(file: string): void {
    const path = vite.normalizePath(file).slice(vite.normalizePath(folder).length + 1);
    events.changed(path);
    if (isKnown(file)) isOutdated = true;
    else if (requestedFiles.has(file)) events.reload(path);
    void problems.recheck();
  }

  const plugin: Plugin = {
    name: 'gantry-dev',
    enforce: 'pre',
    config(config) {
      if (config.server) delete config.server.proxy;
    },
    transform(code, id) {
      const [path = '', query = ''] = id.split('?', 2);
      if (isSource(path) && (query === '' || query === 'direct')) resaves.loaded(resolve(path), code);
    },
    configureServer({ watcher }) {
      resaves.follow(watcher); // Vite replaces it when its configuration changes
      watcher.on('all', (event, path) => {
        if (event === 'add' || event === 'change' || event === 'unlink') onFile(resolve(folder, path));
      });
    },
  };

  process.env.NODE_ENV = 'development'; // Vite has no option for it, and the environment may differ
  let server: ViteDevServer | undefined;
  const started = await vite.createServer({
    root: folder,
    base,
    appType: 'custom',
    cacheDir: cache,
    clearScreen: false,
    customLogger: logger,
    optimizeDeps: { entries: [...pages] },
    plugins: [plugin],
    server: {
      middlewareMode: true,
      cors: false,
      hmr: { overlay: false, server: sockets },
      forwardConsole: false,
      ...(poll && { watch: { usePolling: true } }),
      fs: { strict: true, allow: [...createServedPaths({ folder, cache, publicFolder: undefined }).allowed] },
    },
  });
  server = started;
  started.ws.on('connection', (socket) => {
    // Vite sends updates to open sockets, and a page opens its own just after its modules.
    if (isOutdated) socket.send(JSON.stringify({ type: 'full-reload' }));
    isOutdated = false;
  });
  const publicFolder = started.config.publicDir || undefined;
  const served = createServedPaths({ folder, cache, publicFolder });

  async function openPage(path: string): Promise<string> {
    const request = { app, path, search: '', headers: new Headers() };
    isOutdated = false;
    const page = await folderSource.open({ ...request, folder }).catch(() => undefined);
    if (page) return started.transformIndexHtml(`/${path}`, withOwnScripts((await page.read()).toString(), path));
    if (publicFolder === undefined) throw noSuchFile();
    return (await (await folderSource.open({ ...request, folder: publicFolder })).read()).toString();
  }

  async function openBuilt({ path, search, headers }: FileRequest): Promise<AppFile> {
    if (!served.allows(path, isKnown)) throw noSuchFile();
    for (const place of [folder, publicFolder]) {
      if (place && requestedFiles.size < mostAsked) requestedFiles.add(join(place, decodeURIComponent(path)));
    }
    const before = problems.count;
    const answer = await exchange(started.middlewares, {
      url: `${base}${path}${search}`,
      headers: { host: 'localhost', ...Object.fromEntries([...headers].filter(([name]) => passed.has(name))) },
    });
    if (answer?.status === 200) return fileOf(typeOf(answer, path), answer.body);
    if (answer === undefined ? problems.count > before : answer.status >= 500) throw broken(path);
    throw noSuchFile();
  }

  return {
    get socket() {
      return `${base}?token=${started.config.webSocketToken}`;
    },
    async open(request) {
      const { path, search, withAgent } = request;
      if (!isPage(path) || search !== '') return openBuilt(request);
      try {
        return fileOf('text/html; charset=utf-8', withAgent(await openPage(path)));
      } catch (error) {
        if (error instanceof SocialError) throw error;
        problems.add(error as Error, () => openPage(path));
        throw broken(path, error);
      }
    },
    upgrade: (incoming, socket, head) => void sockets.emit('upgrade', incoming, socket, head),
    close: () => started.close(),
  };
}

/** Returns a cache folder of its own: Vite's belongs to manual runs. */
function cacheOf(folder: string): string {
  const hasPackages = existsSync(join(folder, 'package.json'));
  return hasPackages ? join(folder, 'node_modules', '.vite-gantry') : join(folder, '.gantry', 'vite');
}

/** Returns the content type that a site would send. */
function typeOf({ contentType = '' }: MiddlewareAnswer, path: string): string {
  const [type] = contentType.split(';');
  if (type === 'text/javascript') return contentTypeOf('a.js');
  return type === 'text/css' ? contentTypeOf('a.css') : contentTypeOf(path);
}

/** Returns whether a module is a file's own text: of pictures and the like Vite makes one. */
function isSource(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|sass|less|json)$/.test(path);
}

function broken(path: string, cause?: unknown): SocialError {
  return new SocialError('UPSTREAM_FAILED', `${path} could not be built.`, { cause });
}

const passed: ReadonlySet<string> = new Set(['accept', 'sec-fetch-dest', 'sec-fetch-mode']);
