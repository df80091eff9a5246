import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { type Prepared, send } from './http.ts';
import type { BenchSite } from './site.ts';

const connections = 8;

/** Starts a bench site in a process of its own, so that its CPU time is its alone. */
export async function startMeasuredSite() {
  const server = fork(new URL('service-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const [{ url, consumer }] = (await once(server, 'message')) as [Pick<BenchSite, 'url' | 'consumer'>];

  /** Resolves with microseconds of CPU. */
  async function ask(question: 'cpu' | { readonly oauth: number }): Promise<number> {
    server.send(question);
    const [micros] = (await once(server, 'message')) as [number];
    return micros;
  }

  return {
    url,
    consumer,
    agent,
    ask,
    /** Sends requests and resolves with microseconds of the server's CPU for each. */
    async cost(prepared: readonly Prepared[], expected?: number): Promise<number> {
      const left = prepared.values(); // shared: each connection takes the next
      const before = await ask('cpu');
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (const one of left) await send(agent, one, expected);
        }),
      );
      return ((await ask('cpu')) - before) / prepared.length;
    },
    async close(): Promise<void> {
      agent.destroy();
      server.disconnect();
      await once(server, 'exit');
    },
  };
}
