import { spawnSync } from 'node:child_process';
import { freePort } from '../../packages/server/test/free-port.ts';
import type { Start } from '../example.ts';
import { startProcess } from '../processes.ts';

export const start: Start = async ({ folder, env }) => {
  const port = await freePort();
  const gantryPort = await freePort();
  const setup = spawnSync(process.execPath, ['setup.js'], { cwd: folder, env, encoding: 'utf8' });
  if (setup.status !== 0) throw new Error(`setup.js failed:\n${setup.stdout}${setup.stderr}`);
  const site = await startProcess({
    command: process.execPath,
    args: ['start.js'],
    folder,
    env: { ...env, PORT: String(port), GANTRY_PORT: String(gantryPort) },
    ready: /Listening on/,
  });
  return {
    url: `http://localhost:${port}`,
    async stop() {
      await site.stop();
    },
  };
};
