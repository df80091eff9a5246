import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Process, serve } from '../packages/cli/test/real-site.ts';
import { loadWhile, prepareSite, site } from '../packages/cli/test/serve/restart-load.ts';
import { freePort } from '../packages/server/test/free-port.ts';
import { startWithSocket } from '../packages/server/test/service-manager.ts';

/** A loaded server, and the way in which it is replaced. */
interface Replaced {
  readonly port: number;
  replace(): Promise<unknown>;
  stop(): Promise<unknown>;
}

const times = 5;

const ways: readonly (readonly [name: string, start: (env: NodeJS.ProcessEnv) => Promise<Replaced>])[] = [
  ['a stop and a start, on a port of its own', stopAndStart],
  ['systemctl restart, behind a socket that stays open', restartBehindSocket],
  ['systemctl reload, two workers', reloadWorkers],
];

/** Counts lost requests and the longest wait while a server under load is replaced. */
export async function measureRestarts(): Promise<void> {
  for (const connections of ['new', 'kept'] as const) {
    console.log(`Replaced ${times} times under load of 16 clients on ${connections} connections`);
    for (const [name, start] of ways) {
      const data = mkdtempSync(join(tmpdir(), 'gantry-restarts-'));
      const server = await start(await prepareSite({ GANTRY_DATA: data }));
      const { answered, lost, slowestMs } = await loadWhile({ port: server.port, connections }, async () => {
        for (let count = 0; count < times; count++) await server.replace();
      });
      await server.stop();
      rmSync(data, { recursive: true });
      const goal = start === stopAndStart ? '' : '  goal: 0';
      console.log(
        `  ${name.padEnd(52)} ${lost.length} of ${answered + lost.length} lost, slowest ${Math.round(slowestMs)} ms${goal}`,
      );
    }
  }
}

async function stopAndStart(env: NodeJS.ProcessEnv): Promise<Replaced> {
  const port = await freePort();
  const start = () => serve(['--port', String(port)], env);
  let current = await start();
  return {
    port,
    async replace() {
      await current.stop();
      current = await start();
    },
    stop: () => current.stop(),
  };
}

async function restartBehindSocket(env: NodeJS.ProcessEnv): Promise<Replaced> {
  const service = await startWithSocket(['--url', site.url], env);
  return { ...service, replace: service.restart };
}

async function reloadWorkers(env: NodeJS.ProcessEnv): Promise<Replaced> {
  const service = await serve(['--workers', '2'], env, { isService: true });
  let reloads = 0;
  return {
    port: service.port,
    async replace() {
      service.child.kill('SIGHUP');
      await untilReloaded(service, ++reloads);
    },
    stop: service.stop,
  };
}

async function untilReloaded({ child, output }: Process, times: number): Promise<void> {
  while (output().split('Gantry reloaded').length <= times)
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
}
