import { mkdirSync } from 'node:fs';
import pino from 'pino';
import { type Configuration, UsageError } from './configuration.ts';
import { createGantry, type Gantry, type GantryOptions, type Stores } from './create-gantry.ts';
import { type Fetch, listen } from './node-server.ts';

export interface ServerOptions extends Pick<GantryOptions, 'viewer' | 'site'> {
  readonly configuration: Configuration;
  /** Runs once the stores are open and before the first request is answered, for example to seed them. */
  readonly prepare?: (stores: Stores, url: string) => Promise<void>;
}

export interface RunningServer {
  /** Public address. */
  readonly url: string;
  readonly stores: Stores;
  /** Lets every accepted request finish, then closes the stores. */
  close(): Promise<void>;
}

/**
 * Runs a server until it is told to stop: prints its address once it answers, drains on SIGTERM, SIGINT or SIGHUP.
 *
 * @throws UsageError for what the person who started it can mend, such as a taken port.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const stopped = stopRequest(); // asked for during the start, it is honoured right after
  const server = await startServer(options);
  process.stdout.write(`Gantry ready at ${server.url}\n`);
  await stopped;
  await server.close();
}

/**
 * Starts a server and answers once it is ready.
 *
 * @throws UsageError for a port that is taken or may not be opened.
 */
export async function startServer({ configuration, viewer, site, prepare }: ServerOptions): Promise<RunningServer> {
  mkdirSync(configuration.data, { recursive: true, mode: 0o700 });
  const log = pino({ level: process.env.GANTRY_LOG ?? 'warn' }, pino.destination({ dest: 2, sync: true }));
  const { promise: ready, resolve: open, reject: giveUp } = Promise.withResolvers<Fetch>();
  ready.catch(() => {}); // thrown below; requests that came meanwhile see it too
  let gantry: Gantry | undefined;
  let opened: Gantry | undefined;
  // The port comes first: a taken one is said before anything is written.
  const server = await listen({
    port: configuration.port,
    host: configuration.host,
    fetch: async (request, rawTarget) => (await ready)(request, rawTarget),
    direct: (incoming) => opened?.direct(incoming),
  }).catch((error: NodeJS.ErrnoException) => {
    throw portProblem(error, configuration.port);
  });
  const url = configuration.url ?? `http://localhost:${server.port}`;
  try {
    gantry = await createGantry({ ...configuration, url, viewer, site, log });
    await prepare?.(gantry.stores, url);
  } catch (error) {
    giveUp(error);
    await server.close();
    await gantry?.close();
    throw error;
  }
  opened = gantry;
  open(gantry.fetch);
  return { url, stores: gantry.stores, close: () => server.close().then(gantry.close) };
}

function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(`Port ${port} is taken. Stop what uses it, or name another with PORT or --port.`);
  if (error.code === 'EACCES')
    return new UsageError(`Port ${port} may not be opened by this user. Name one above 1023 with PORT or --port.`);
  return error;
}

// `disconnect` is the end of whoever started this process: see scripts/prepare.mjs.
async function stopRequest(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(event, () => resolve());
  });
  process.channel?.unref(); // listening to it alone must not keep the process
  await stopped;
}
