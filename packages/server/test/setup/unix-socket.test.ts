import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { configuration } from '../../src/configuration.ts';
import { type RunningServer, readServerConfiguration, startServer } from '../../src/index.ts';

let folder: string;
let path: string;
let server: RunningServer | undefined;
beforeEach(() => {
  folder = folderForTest();
  path = join(folder, 'gantry.sock');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(): Promise<void> {
  const args = ['--socket', path, '--url', 'https://social.example', '--data', join(folder, 'data')];
  server = await startServer({ configuration: readServerConfiguration(args, { GANTRY_LOG: 'silent' }) });
}

/** Asks through the socket, as a reverse proxy does. */
function ask(
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status?: number | undefined; id: unknown }> {
  return new Promise((resolve, reject) => {
    request(
      { socketPath: path, path: target, headers: { host: 'social.example', ...headers }, agent: false },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, id: answer.headers['x-request-id'] });
      },
    )
      .on('error', reject)
      .end();
  });
}

test('a server listens on a Unix socket that owner and group may use, and removes it in the end', async () => {
  await start();
  expect((await ask('/healthz')).status).toBe(200);
  expect(statSync(path).mode & 0o777).toBe(0o660);
  expect((await ask('/healthz', { 'x-request-id': 'given-1' })).id).toBe('given-1'); // only the proxy connects
  await server?.close();
  expect(existsSync(path)).toBe(false);
});

test('metrics through a Unix socket need the token: the proxy is no reader (security rule 8)', async () => {
  await start();
  expect((await ask('/metrics', { host: 'localhost' })).status).toBe(403);
});

test('the socket that a killed process left is replaced, one in use is not (security rule 24)', async () => {
  await start();
  const first = server;
  await expect(start()).rejects.toThrow(
    `No socket at ${path} (--socket, GANTRY_SOCKET): another process listens there`,
  );
  await first?.close();
  await abandon(path);
  expect(existsSync(path)).toBe(true);
  await start();
  expect((await ask('/healthz')).status).toBe(200);
});

test('a socket without the address of the site is refused in one line', () => {
  expect(() => configuration({ socket: path, data: folder }, {})).toThrow('--socket (GANTRY_SOCKET) needs --url');
});

/** Leaves the file of a socket on which no process listens. */
async function abandon(at: string): Promise<void> {
  const code = `require('node:net').createServer().listen(${JSON.stringify(at)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await new Promise((resolve) => spawn(process.execPath, ['-e', code]).once('exit', resolve));
}
