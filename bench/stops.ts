import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../packages/cli/test/real-site.ts';
import type { StopLoad, StopLoadOptions } from '../packages/server/test/stop-load.ts';

const requests = 10_000;
const perStop = 1_500;
const clients = 64;

/**
 * Counts lost requests while a server under load repeatedly gets SIGTERM without a grace period.
 */
export async function measureStops(): Promise<void> {
  for (const workers of [1, 2]) {
    for (const connections of ['new', 'kept'] as const) {
      const faults = new Map<string, number>();
      let answered = 0;
      let stops = 0;
      let slowestMs = 0;
      while (answered < requests) {
        const { load, stopMs } = await stopUnderLoad({ workers, connections });
        answered += load.answered;
        slowestMs = Math.max(slowestMs, stopMs);
        stops++;
        for (const fault of load.lost) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      }
      const lost = [...faults.values()].reduce((sum, count) => sum + count, 0);
      const kinds = [...faults].map(([fault, count]) => `${count} × ${fault}`).join(', ');
      console.log(
        `SIGTERM under load of ${clients} clients on ${connections} connections, ${workers} worker${workers > 1 ? 's' : ''}\n` +
          `  ${lost} of ${answered + lost} requests lost over ${stops} stops, the slowest ${Math.round(slowestMs)} ms  goal: 0` +
          (kinds && `\n  ${kinds}`),
      );
    }
  }
}

async function stopUnderLoad({ workers, connections }: { workers: number } & Pick<StopLoadOptions, 'connections'>) {
  const data = mkdtempSync(join(tmpdir(), 'gantry-stops-'));
  const site = await serve(workers === 1 ? [] : ['--workers', String(workers)], { GANTRY_DATA: data });
  const asking = fork(new URL('stops-clients.ts', import.meta.url));
  let stopMs = 0;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const startedAtMs = performance.now();
    await site.stop();
    stopMs = performance.now() - startedAtMs;
  };
  try {
    const load = await new Promise<StopLoad>((resolve) => {
      asking.on('message', (message: number | StopLoad) => {
        if (typeof message !== 'number') resolve(message);
        else if (message === perStop) stopped = stop();
      });
      asking.send({ port: site.port, clients, connections } satisfies StopLoadOptions);
    });
    await stopped;
    return { load, stopMs };
  } finally {
    asking.disconnect();
    rmSync(data, { recursive: true });
  }
}
