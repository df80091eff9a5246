import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../packages/server/test/free-port.ts';
import type { Prepare, RunningExample, Start, StartOptions } from '../example.ts';
import { startProcess } from '../processes.ts';

const settings = { NEXT_TELEMETRY_DISABLED: '1' };

/** Builds the pages, as a site does before it is deployed. */
export const prepare: Prepare = async ({ folder, env }) => {
  const next = join(folder, 'node_modules/next/dist/bin/next');
  const { status, stdout, stderr } = spawnSync(process.execPath, [next, 'build'], {
    cwd: folder,
    env: { ...env, ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`next build failed:\n${stdout}${stderr}`);
};

/** Starts the site as `npm start` does. */
export const start: Start = (options) => startServer(options, [], { NODE_ENV: 'production' });

/** Starts the site as `npm run dev` does, with a database of its own. */
export const startDev: Start = (options) =>
  startServer(options, ['--dev'], { NODE_ENV: 'development', DATA: join(options.folder, 'data-dev') });

async function startServer(
  { folder, env }: StartOptions,
  args: readonly string[],
  own: NodeJS.ProcessEnv,
): Promise<RunningExample> {
  const port = await freePort();
  const server = await startProcess({
    command: process.execPath,
    args: ['server.ts', ...args],
    folder,
    env: { ...env, ...settings, ...own, PORT: String(port) },
    ready: /Listening on/,
  });
  return {
    url: `http://localhost:${port}`,
    async stop() {
      await server.stop();
    },
  };
}
