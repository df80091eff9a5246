import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A site of one's own that is installed release by release: the link `current` says which one
 * holds.
 */
export interface ReleasedSite {
  /** File of settings, as `GANTRY_ENV_FILE` names it. */
  readonly settings: string;
  /**
   * Adds a release whose workers answer with its name, and makes it the current one.
   *
   * @param code Runs in its workers before they answer. `await held()` waits there for `letGo`.
   */
  release(name: string, code?: string): void;
  /** Starts the current release with one worker, as a service: without a terminal. */
  start(): Promise<ReleasedService>;
  letGo(): void;
  remove(): void;
}

export interface ReleasedService {
  readonly child: ChildProcess;
  /** Returns its output so far, on both streams. */
  printed(): string;
  /** Sends one request on a new connection, and resolves with the response. */
  ask(
    path?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Below the packages, so that a release finds them. */
const cache = join(import.meta.dirname, '../../../../node_modules/.cache');

const site = `
import cluster from 'node:cluster';
import { handedConnections, readServerConfiguration, runServer, runWorkers } from '@gantry/server';
import { prepare, release } from './release.mjs';

const configuration = readServerConfiguration(process.argv.slice(2), process.env);
const never = new Promise(() => {});
const answer = async (request) => (request.url.endsWith('/never') ? never : new Response(release));
const options = { count: 1, say: console.log, warn: console.log, retireMs: 300 };
if (cluster.isWorker) await runServer({ configuration, prepare, site: answer, handed: handedConnections(process.env) });
else process.exitCode = await runWorkers({ ...configuration, ...options });
cluster.worker?.disconnect();
`;

export function createReleasedSite(): ReleasedSite {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'releases-'));
  const settings = join(folder, 'gantry.env');
  const gate = join(folder, 'go');
  writeFileSync(settings, '', { mode: 0o600 });
  return {
    settings,
    release(name, code = '') {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'main.mjs'), site);
      const held = `const held = async () => { while (!existsSync('${gate}')) await pause(10); };`;
      const imports = `import { existsSync } from 'node:fs'; import { setTimeout as pause } from 'node:timers/promises';`;
      const exports = `${imports} ${held} export const release = '${name}'; export async function prepare() { ${code} }`;
      writeFileSync(join(folder, name, 'release.mjs'), exports);
      symlinkSync(name, join(folder, 'next'));
      renameSync(join(folder, 'next'), join(folder, 'current')); // at once
    },
    async start() {
      const flags = ['--port', '0', '--data', join(folder, 'data')];
      const program = join(folder, 'current', 'main.mjs');
      const child = spawn(process.execPath, ['--conditions=@gantry/source', program, ...flags], {
        env: { ...process.env, GANTRY_ENV_FILE: settings, GANTRY_LOG: 'error' },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: true,
      });
      let printed = '';
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      const ready = Promise.withResolvers<string>();
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          printed += chunk;
          const [, url] = /ready at (\S+),/.exec(printed) ?? [];
          if (url) ready.resolve(url);
        });
      }
      void ended.then(() => ready.reject(new Error(printed)));
      const url = (await ready.promise).replace('localhost', '127.0.0.1');
      return {
        child,
        ended,
        printed: () => printed,
        async ask(path = '/', headers = {}) {
          const response = await fetch(url + path, { headers: { connection: 'close', ...headers } });
          return { status: response.status, text: await response.text() };
        },
      };
    },
    letGo: () => writeFileSync(gate, ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
