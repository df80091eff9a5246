import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@gantry/wire/runtime';
import { callOnce } from './call-once.ts';
import type { Configuration } from './configuration.ts';
import { createGantry } from './create-gantry.ts';
import type { Stores } from './data/stores.ts';
import { createClientAddress } from './edge/client-address.ts';
import { defaultLimits, type Limits } from './edge/limits.ts';
import type { GantryHandler, GantryOptions } from './gantry.ts';
import { createEdge } from './http/edge.ts';
import { type HandedConnections, listen } from './http/node-server.ts';
import type { Fetch } from './http/request-listener.ts';
import { hasControllingTerminal } from './processes/controlling-terminal.ts';
import { createWorkerPermit, permitsVariable } from './processes/hash-permits.ts';
import { shareMetrics } from './processes/worker-metrics.ts';
import { checksStart, onRetire, reportReady } from './processes/worker-process.ts';
import { logIsolation } from './self-test/start-check/log-isolation.ts';
import { environmentFileOf } from './setup/environment-file.ts';
import { isUnixSocket, listenProblem, noPort } from './setup/listen-place.ts';
import { checkStart, startWarnings } from './setup/start-checks.ts';
import { endProcess } from './setup/usage-error.ts';
import { createHealth } from './telemetry/monitoring-paths.ts';
import { createTelemetry } from './telemetry/telemetry.ts';

export interface ServerOptions extends Pick<GantryOptions, 'viewer' | 'site' | 'signInUrl'> {
  readonly configuration: Configuration;
  /** Creates the handler. Default: a whole site. */
  readonly create?: (options: GantryOptions) => Promise<GantryHandler>;
  /** Runs before the first request, for example to seed the stores. */
  readonly prepare?: (stores: Stores, url: string) => Promise<void>;
  /** Limits per client; for tests, which do not wait for long timeouts. */
  readonly limits?: Limits;
  /** Connections accepted by the primary process, for a worker of `gantry serve`. */
  readonly handed?: HandedConnections;
}

export interface RunningServer {
  /** Public address. */
  readonly url: string;
  readonly port: number;
  readonly stores: Stores;
  readonly log: Logger;
  /** Makes `/readyz` report that the server is stopping; requests are still accepted. */
  leave(): void;
  /**
   * Waits for accepted requests, then closes the stores.
   *
   * @param options.isReplaced Another process has taken over, so `/readyz` stays ready.
   */
  close(options?: { readonly isReplaced?: boolean }): Promise<void>;
}

/**
 * Runs a server until it is stopped. Prints its address when ready, checks app isolation in the
 * background, and drains on SIGTERM, SIGINT or SIGHUP. Workers leave SIGHUP to the primary process,
 * unless a terminal sends it. A configuration error, such as a taken port, ends the process: it
 * prints one sentence and exits with 2.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  await runUntilStopped(options).catch(endProcess);
}

/** Runs a server as `runServer` does. @throws UsageError, and other errors, to its caller. */
export async function runUntilStopped(options: ServerOptions): Promise<void> {
  const starting = new AbortController();
  const stopped = stopRequest(starting.signal); // a signal during the start takes effect after it
  const server = await startServer(options).catch((error: unknown) => {
    starting.abort();
    throw error;
  });
  if (!cluster.isWorker) process.channel?.unref(); // listening for its end must not keep the process alive
  if (cluster.isWorker) reportReady(server.url);
  else process.stdout.write(`Gantry ready at ${server.url}\n`);
  const stopping = new AbortController();
  const { appsHost, host, path, graceSeconds, data, database, databaseIsFound, masterKey } = options.configuration;
  const { url, port, stores, log } = server;
  if (checksStart(process.env)) {
    const environmentFile = environmentFileOf(process.env);
    const warnings = startWarnings({
      data,
      database,
      databaseIsFound,
      environmentFile,
      isSealed: masterKey !== undefined,
    });
    for (const line of warnings) log.warn({}, line);
    void logIsolation({ db: stores.db, url, appsHost, host, port, path, log, signal: stopping.signal });
  }
  const reason = await stopped;
  stopping.abort();
  if (reason === 'retire') return server.close({ isReplaced: true });
  server.leave();
  if (reason === 'SIGTERM') await pause(graceSeconds * 1000); // no load balancer at a terminal
  await server.close();
}

/** Resolves when a server is ready. @throws UsageError for a port that is taken or forbidden. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { configuration, viewer, signInUrl, site, prepare, handed } = options;
  const { create = createGantry, limits = defaultLimits } = options;
  checkStart(configuration);
  const isWorker = process.env[permitsVariable] !== undefined;
  const share = isWorker ? shareMetrics(process) : undefined;
  const telemetry = createTelemetry({
    level: configuration.logLevel,
    limits,
    share,
    secretTexts: configuration.secretTexts,
  });
  const { log } = telemetry;
  const isProxied = handed ? handed.port === noPort : isUnixSocket(configuration);
  const clientOf = createClientAddress(configuration.trustedProxies, { isProxied });
  const edge = createEdge({ ...telemetry, clientOf });
  const health = createHealth();
  const { promise: ready, resolve: open, reject: giveUp } = Promise.withResolvers<Fetch>();
  ready.catch(() => {}); // thrown below, and to requests that arrived meanwhile
  let gantry: GantryHandler | undefined;
  let opened: GantryHandler | undefined;
  // The port comes first: a taken one is reported before anything is written.
  const server = await listen({
    port: configuration.port,
    host: configuration.host,
    path: configuration.path,
    socket: configuration.socket,
    edge,
    limits,
    admission: telemetry.admission,
    handed,
    fetch: async (request, rawTarget) => health.respond(rawTarget) ?? (await ready)(request, rawTarget),
    direct: (incoming) => opened?.direct(incoming),
    streams: (request) => opened?.streams(request) ?? false,
  }).catch((error: NodeJS.ErrnoException) => {
    telemetry.load.close();
    throw listenProblem(error, configuration);
  });
  const url = configuration.url ?? `http://localhost:${server.port}`;
  try {
    gantry = await create({
      ...configuration,
      ...(signInUrl !== undefined && { signInUrl }),
      url,
      viewer,
      site,
      log,
      telemetry,
      ...(isWorker && { hashPermit: createWorkerPermit(process), sharesDatabase: true }),
    });
    await prepare?.(gantry.stores, url);
  } catch (error) {
    giveUp(error);
    await server.close();
    await gantry?.close();
    telemetry.load.close();
    throw error;
  }
  const running = gantry;
  const closeAll = callOnce(async () => {
    running.leave();
    await server.close();
    await running.close();
    telemetry.load.close();
  });
  opened = gantry;
  health.state = 'ready';
  open(gantry.fetch);
  return {
    url,
    port: server.port,
    stores: gantry.stores,
    log,
    leave() {
      health.state = 'draining';
      running.leave();
    },
    close({ isReplaced = false } = {}) {
      if (!isReplaced) health.state = 'draining';
      return closeAll();
    },
  };
}

// Resolves with the reason to stop. `disconnect`: the process that started this one has ended
// (scripts/prepare.mjs).
function stopRequest(unsubscribe: AbortSignal): Promise<string> {
  // Handled, so that it does not end the worker: `systemctl kill --signal=HUP` reaches all
  // processes of a service.
  const leavesHangUp = cluster.isWorker && !hasControllingTerminal();
  return new Promise((resolve) => {
    const listen = (event: string, listener: () => void, isOnce = true): void => {
      if (isOnce) process.once(event, listener);
      else process.on(event, listener);
      unsubscribe.addEventListener('abort', () => process.off(event, listener));
    };
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) listen(event, () => resolve(event));
    if (leavesHangUp) listen('SIGHUP', () => {}, false);
    else listen('SIGHUP', () => resolve('SIGHUP'));
    unsubscribe.addEventListener(
      'abort',
      onRetire(() => resolve('retire')),
    );
  });
}
