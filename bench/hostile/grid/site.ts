import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGantry } from '@gantry/server';
import type { Instance } from '@gantry/wire';
import { freePort } from '../../../packages/server/test/free-port.ts';
import { send } from '../../costs-client.ts';
import { pageRequest } from '../../costs-page.ts';
import { type Meter, openMeter } from './measure.ts';
import { type Gadget, metricsToken } from './routes.ts';
import type { Person } from './who.ts';
import { appId, prepareWorld, publicUrl, type World, type WorldSize } from './world.ts';

/** A prepared site, whose server is started as often as it is needed. */
export interface Site {
  readonly world: World;
  /** Every route, as the parts of the server list them. */
  readonly routes: readonly string[];
  start(): Promise<Server>;
  remove(): void;
}

/** A running server with production limits. */
export interface Server {
  readonly port: number;
  readonly meter: Meter;
  /** Opens a gadget on a page of this person. */
  mount(person: Person): Promise<Gadget>;
  /** Returns its complaints on standard error. */
  complaints(): string;
  stop(): Promise<void>;
}

export interface SiteOptions {
  readonly size: WorldSize;
  /** PostgreSQL address of an empty database. Default: SQLite. */
  readonly database?: string | undefined;
  /** Number of worker processes. Default: the server is one process. */
  readonly workers?: number | undefined;
}

const program = fileURLToPath(new URL('../../../packages/cli/bin/gantry.js', import.meta.url));
const probe = new URL('probe.ts', import.meta.url).href;

export async function prepareSite({ size, database: url, workers }: SiteOptions): Promise<Site> {
  if (process.platform !== 'linux') throw new Error('The grid needs Linux, which reports peak memory use.');
  const data = mkdtempSync(join(tmpdir(), 'gantry-grid-'));
  const database = url ?? join(data, 'gantry.db');
  const world = await prepareWorld({ data, database }, size);
  const flags = (port: number): string[] => [
    ...['serve', '--port', String(port), '--url', publicUrl, '--trust-proxy', '127.0.0.1'],
    ...['--data', data, '--database', database],
    ...(workers === undefined ? [] : ['--workers', String(workers)]),
  ];
  return {
    world,
    routes: await routesOf(data, database),
    start: () => startServer({ program, flags }, world),
    remove: () => rmSync(data, { recursive: true }),
  };
}

async function routesOf(data: string, database: string): Promise<readonly string[]> {
  const gantry = await createGantry({ data, database, url: publicUrl });
  await gantry.close();
  return gantry.routes;
}

/** Starts a program with a probe in each of its processes; its first line says that it is ready. */
export async function startServer(
  { program, flags }: { readonly program: string; readonly flags: (port: number) => readonly string[] },
  world: Pick<World, 'visitors'>,
): Promise<Server> {
  const probes = mkdtempSync(join(tmpdir(), 'gantry-probes-'));
  const port = await freePort();
  const node = ['--conditions=@gantry/source', '--expose-gc', '--import', probe];
  const child = spawn(process.execPath, [...node, program, ...flags(port)], {
    env: { ...process.env, GANTRY_GRID_PROBES: probes, GANTRY_METRICS_TOKEN: metricsToken },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // with the channel it ends when this process does
  });
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const ended = once(child, 'exit').then(() => undefined);
  const lines = createInterface(child.stdout as NonNullable<typeof child.stdout>);
  if ((await Promise.race([once(lines, 'line'), ended])) === undefined)
    throw new Error(`It did not start: ${complaints}`);
  const meter = await openMeter(probes);

  return {
    port,
    meter,
    async mount(person) {
      const { cookie } = world.visitors[person];
      const { headers, ...sent } = pageRequest(
        publicUrl,
        '/gantry/instances',
        JSON.stringify([{ app: appId }]),
        cookie,
      );
      const url = `http://127.0.0.1:${port}/gantry/instances`;
      const { text } = await send({ ...sent, url, headers: { ...headers, Host: new URL(publicUrl).host } });
      const [answer] = JSON.parse(text) as [{ ok: Instance }];
      const { instance, token, since = '' } = answer.ok;
      return { instance, token, since };
    },
    complaints: () => complaints,
    async stop() {
      meter.close();
      child.kill('SIGKILL'); // an attacked server may never finish its requests
      await ended;
      rmSync(probes, { recursive: true });
    },
  };
}
