import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Configuration } from './configuration.ts';
import { hasControllingTerminal } from './controlling-terminal.ts';
import { createGantry } from './create-gantry.ts';
import { createClientAddress } from './edge/client-address.ts';
import { createEdge } from './edge/edge.ts';
import { createFailureLimit } from './edge/failure-limit.ts';
import { defaultLimits, type Limits } from './edge/limits.ts';
import { environmentFileOf } from './environment-file.ts';
import type { GantryHandler, GantryOptions, Stores } from './gantry.ts';
import { createWorkerPermit, permitsVariable } from './hash-permits.ts';
import { createHealth } from './health.ts';
import { type HandedConnections, listen } from './node-server.ts';
import { portProblem } from './port-problem.ts';
import type { Fetch } from './request-listener.ts';
import { selfTest } from './self-test.ts';
import { checkStart, startWarnings } from './start-checks.ts';
import { createTelemetry } from './telemetry.ts';
import { checksStart, onRetire, tellReady } from './worker-process.ts';

export interface ServerOptions extends Pick<GantryOptions, 'viewer' | 'site' | 'signInUrl'> {
  readonly configuration: Configuration;
  /** Makes what is run; a whole site unless it says otherwise. */
  readonly create?: (options: GantryOptions) => Promise<GantryHandler>;
  /** Runs once the stores are open and before the first request is answered, for example to seed them. */
  readonly prepare?: (stores: Stores, url: string) => Promise<void>;
  /** What one client may take; for tests, which do not wait for long time-outs. */
  readonly limits?: Limits;
  /** Connections that another process accepts, for a worker of `gantry serve`. */
  readonly handed?: HandedConnections;
}

export interface RunningServer {
  /** Public address. */
  readonly url: string;
  readonly port: number;
  readonly stores: Stores;
  readonly log: Logger;
  /** Says through `/readyz` that the server is about to stop; everything is still accepted. */
  leave(): void;
  /**
   * Lets every accepted request finish, then closes the stores.
   *
   * @param options.isReplaced Another process answers in its place, so `/readyz` does not say that the site is about to stop.
   */
  close(options?: { readonly isReplaced?: boolean }): Promise<void>;
}

/**
 * Runs a server until it is told to stop: prints its address once it answers, tries in the background whether it keeps apps
 * apart, drains on SIGTERM, SIGINT or SIGHUP. A worker leaves SIGHUP to the process that started it, unless a terminal sends it.
 *
 * @throws UsageError for what the person who started it can mend, such as a taken port.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const forget = new AbortController();
  const stopped = stopRequest(forget.signal); // asked for during the start, it is honoured right after
  const server = await startServer(options).catch((error: unknown) => {
    forget.abort();
    throw error;
  });
  if (!cluster.isWorker) process.channel?.unref(); // to listen for its end must not keep the process
  if (cluster.isWorker) tellReady(server.url);
  else process.stdout.write(`Gantry ready at ${server.url}\n`);
  const stopping = new AbortController();
  const { appsHost, host, graceSeconds, data } = options.configuration;
  const { url, port, stores, log } = server;
  if (checksStart(process.env)) {
    for (const line of startWarnings({ data, environmentFile: environmentFileOf(process.env) })) log.warn(line);
    // Nothing waits for it.
    void selfTest({ db: stores.db, url, appsHost, host, port, log, signal: stopping.signal });
  }
  const reason = await stopped;
  stopping.abort();
  if (reason === 'retire') return server.close({ isReplaced: true });
  server.leave();
  if (reason === 'SIGTERM') await pause(graceSeconds * 1000); // at a terminal nobody balances load
  await server.close();
}

/**
 * Starts a server and answers once it is ready.
 *
 * @throws UsageError for a port that is taken or may not be opened.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    configuration,
    viewer,
    signInUrl,
    site,
    prepare,
    create = createGantry,
    limits = defaultLimits,
    handed,
  } = options;
  checkStart(configuration);
  const telemetry = createTelemetry({ level: configuration.logLevel ?? 'warn', limits });
  const { log } = telemetry;
  const edge = createEdge({
    ...telemetry,
    clientOf: createClientAddress(configuration.trustedProxies),
    failures: createFailureLimit(),
  });
  const health = createHealth();
  const { promise: ready, resolve: open, reject: giveUp } = Promise.withResolvers<Fetch>();
  ready.catch(() => {}); // thrown below; requests that came meanwhile see it too
  let gantry: GantryHandler | undefined;
  let opened: GantryHandler | undefined;
  // The port comes first: a taken one is said before anything is written.
  const server = await listen({
    port: configuration.port,
    host: configuration.host,
    socket: configuration.socket,
    edge,
    limits,
    admission: telemetry.admission,
    handed,
    fetch: async (request, rawTarget) => health.answer(rawTarget) ?? (await ready)(request, rawTarget),
    direct: (incoming) => opened?.direct(incoming),
    streams: (request) => opened?.streams(request) ?? false,
  }).catch((error: NodeJS.ErrnoException) => {
    telemetry.load.close();
    throw portProblem(error, configuration.port);
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
      ...(process.env[permitsVariable] && { hashPermit: createWorkerPermit(process) }),
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
  const closeAll = async (): Promise<void> => {
    running.leave();
    await server.close();
    await running.close();
    telemetry.load.close();
  };
  let closed: Promise<void> | undefined;
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
      closed ??= closeAll();
      return closed;
    },
  };
}

// Resolves with what asked for the end. `disconnect` is the end of whoever started this process: see scripts/prepare.mjs.
function stopRequest(forget: AbortSignal): Promise<string> {
  // Kept as a signal that is heard: `systemctl kill --signal=HUP` reaches all processes of a service.
  const leavesHangUp = cluster.isWorker && !hasControllingTerminal();
  return new Promise((resolve) => {
    const hear = (event: string, listener: () => void, isOnce = true): void => {
      if (isOnce) process.once(event, listener);
      else process.on(event, listener);
      forget.addEventListener('abort', () => process.off(event, listener));
    };
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) hear(event, () => resolve(event));
    if (leavesHangUp) hear('SIGHUP', () => {}, false);
    else hear('SIGHUP', () => resolve('SIGHUP'));
    forget.addEventListener(
      'abort',
      onRetire(() => resolve('retire')),
    );
  });
}
