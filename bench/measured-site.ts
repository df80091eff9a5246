import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Cost } from './figures/rounds.ts';
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

  /** Resolves with microseconds of CPU so far, or the cost of a request. */
  async function ask<T>(question: 'cpu' | { readonly oauth: number }): Promise<T> {
    server.send(question);
    const [answer] = (await once(server, 'message')) as [T];
    return answer;
  }

  return {
    url,
    consumer,
    agent,
    /** Resolves with the microseconds of OAuth alone for each of some requests. */
    oauthCost: (requests: number) => ask<Cost>({ oauth: requests }),
    /**
     * Sends requests and resolves with microseconds for each: of the server's CPU, and of the time
     * between two answers on all connections.
     */
    async cost(prepared: readonly Prepared[], expected?: number): Promise<Cost> {
      const left = prepared.values(); // shared: each connection takes the next
      const before = await ask<number>('cpu');
      const startMs = performance.now();
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (const one of left) await send(agent, one, expected);
        }),
      );
      const wall = ((performance.now() - startMs) * 1_000) / prepared.length;
      return { wall, cpu: ((await ask<number>('cpu')) - before) / prepared.length };
    },
    async close(): Promise<void> {
      agent.destroy();
      server.disconnect();
      await once(server, 'exit');
    },
  };
}
