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

/**
 * Runs a server until it is told to stop: prints its address once it answers, drains on SIGTERM, SIGINT or SIGHUP.
 *
 * @returns The process's exit code.
 * @throws UsageError for what the person who started it can mend, such as a taken port.
 */
export async function runServer(options: ServerOptions): Promise<number> {
  const { configuration } = options;
  mkdirSync(configuration.data, { recursive: true, mode: 0o700 });
  const log = pino({ level: process.env.GANTRY_LOG ?? 'warn' }, pino.destination(2));
  const { promise: ready, resolve: open, reject: giveUp } = Promise.withResolvers<Fetch>();
  ready.catch(() => {}); // told below; requests that came meanwhile see it too
  // The port comes first: a taken one is said before anything is written.
  const server = await listen({
    port: configuration.port,
    host: configuration.host,
    fetch: async (request, rawTarget) => (await ready)(request, rawTarget),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' || error.code === 'EACCES' ? portProblem(error.code, configuration.port) : error;
  });
  const url = configuration.url ?? `http://localhost:${server.port}`;
  let gantry: Gantry;
  try {
    gantry = await createGantry({ ...configuration, url, viewer: options.viewer, site: options.site, log });
    await options.prepare?.(gantry.stores, url);
  } catch (error) {
    giveUp(error);
    await server.close();
    throw error;
  }
  open(gantry.fetch);
  process.stdout.write(`Gantry ready at ${url}\n`);
  await stopRequest();
  await server.close();
  await gantry.close();
  return 0;
}

function portProblem(code: string, port: number): UsageError {
  return new UsageError(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`
      : `Port ${port} may not be opened by this user. Choose one above 1023 with PORT or --port.`,
  );
}

// `disconnect` is the starter's end: see scripts/prepare.mjs.
async function stopRequest(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(event, () => resolve());
  });
}
