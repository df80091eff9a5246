import { freePort } from '../../packages/server/test/free-port.ts';
import type { Start } from '../example.ts';
import { startProcess } from '../processes.ts';

export const start: Start = async ({ folder, env }) => {
  const port = await freePort();
  const server = await startProcess({
    command: process.execPath,
    args: ['server.js'],
    folder,
    env: { ...env, PORT: String(port) },
    ready: /Listening on/,
  });
  return {
    url: `http://localhost:${port}`,
    async stop() {
      await server.stop();
    },
  };
};
