import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../packages/server/test/free-port.ts';
import type { Prepare, RunningExample, Start, StartOptions } from './example.ts';
import { guideFile } from './guide-file.ts';
import { startProcess } from './processes.ts';

const installer = join(import.meta.dirname, '../scripts/debian.mjs');

/** A site in another language with `gantry serve` beside it, both behind a reverse proxy. */
export interface SiteBesideGantry {
  /** Debian packages that it needs. */
  readonly packages: readonly string[];
  /** File with the configuration of the reverse proxy, as docs/guides/reverse-proxy.md gives it. */
  readonly configuration: string;
  /** Commands before the start. */
  readonly setup?: readonly string[];
}

/** Creates the function that installs Debian packages. */
export function preparation({ packages }: SiteBesideGantry): Prepare {
  return async () => {
    await promisify(execFile)(process.execPath, [installer, ...packages]).catch(
      (error: Error & { stderr?: string }) => {
        throw new Error(error.stderr?.trim() ?? error.message);
      },
    );
  };
}

/** Creates the function that runs `start.sh` on free ports, with the guide's configuration. */
export function starter({ configuration, setup = ['sh setup.sh'] }: SiteBesideGantry): Start {
  return async ({ folder, env }: StartOptions): Promise<RunningExample> => {
    const ports = { PORT: await freePort(), SITE_PORT: await freePort(), GANTRY_PORT: await freePort() };
    const url = `http://localhost:${ports.PORT}`;
    const free = { 8080: ports.PORT, 8000: ports.SITE_PORT, 4400: ports.GANTRY_PORT };
    const text = guideFile('reverse-proxy.md', configuration);
    const onPorts = text.replace(/\b(8080|8000|4400)\b/g, (port) => String(free[Number(port) as keyof typeof free]));
    writeFileSync(join(folder, configuration), onPorts);
    const siteEnv = { ...env, ...named(ports), GANTRY_URL: url };
    for (const command of setup) await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: siteEnv });
    const site = await startProcess({
      command: 'sh',
      args: ['-c', untilWeEnd('sh start.sh')],
      folder,
      env: siteEnv,
      ready: /Gantry ready at/,
    });
    await answers(url).catch(async (error: unknown) => {
      await site.stop();
      throw new Error(`${url} does not answer:\n${site.output()}`, { cause: error });
    });
    return {
      url,
      async stop() {
        await site.stop();
      },
    };
  };
}

/**
 * Runs `gantry check` through the reverse proxy as a member, and returns its output.
 *
 * @throws Error with `stderr` if the check finds a fault.
 */
export async function gantryCheck(
  options: StartOptions,
  { url, cookie }: { readonly url: string; readonly cookie: string },
): Promise<string> {
  return gantry({ ...options, env: { ...options.env, GANTRY_CHECK_COOKIE: cookie } }, 'check', '--url', url);
}

/** Creates a key for a program of one member. */
export async function gantryKey(
  options: StartOptions,
  member: string,
): Promise<{ readonly key: string; readonly secret: string }> {
  return JSON.parse(await gantry(options, 'consumer', 'add', '--kind', 'member', '--member', member, '--json'));
}

async function gantry({ folder, env }: StartOptions, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(join(folder, 'node_modules/.bin/gantry'), args, { cwd: folder, env });
  return stdout;
}

/**
 * Resolves once the site serves a page: its server, Gantry and the reverse proxy start one by one.
 */
async function answers(url: string): Promise<void> {
  const deadline = AbortSignal.timeout(120_000);
  for (;;) {
    const [page, gantry] = await Promise.all(
      ['/', '/openapi.json'].map((path) => fetch(url + path, { signal: deadline }).catch(() => undefined)),
    );
    if (page?.ok && gantry?.ok) return;
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Returns a script that forwards signals to a command, and ends it with this process, even killed.
 */
function untilWeEnd(command: string): string {
  return `${command} & site=$!
trap 'kill $site' INT TERM HUP
(while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done; kill $site) & watch=$!
wait $site; wait $site; kill $watch`;
}

function named(ports: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}
