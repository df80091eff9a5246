import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Prepare, Start } from '../example.ts';
import { freePort, startProcess } from '../processes.ts';

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

export const start: Start = async ({ folder, env }) => {
  const port = await freePort();
  const server = await startProcess({
    command: process.execPath,
    args: ['server.ts'],
    folder,
    env: { ...env, ...settings, NODE_ENV: 'production', PORT: String(port) },
    ready: /Listening on/,
  });
  return {
    url: `http://localhost:${port}`,
    async stop() {
      await server.stop();
    },
  };
};
