import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadUntilRefused, type StopLoad, type StopLoadOptions } from '../../../server/test/stop-load.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { serve } from '../real-site.ts';
import { runSite } from '../running-site.ts';

const clients = 32;
const answersBeforeStop = 200;

/** Loads a port until `stop`, which is called in the middle, has closed it. */
async function stopUnderLoad(
  options: Pick<StopLoadOptions, 'port' | 'connections'>,
  stop: () => Promise<unknown>,
): Promise<StopLoad> {
  let stopped: Promise<unknown> | undefined;
  const onAnswer = (answered: number): void => {
    if (answered >= answersBeforeStop) stopped ??= stop();
  };
  const load = await loadUntilRefused({ ...options, clients, onAnswer });
  await stopped;
  return load;
}

let data: string;
beforeEach(() => {
  data = folderForTest();
});

describe.each(['new', 'kept'] as const)('stops under load on %s connections', (connections) => {
  test('one process loses no request (security rule 21)', async () => {
    for (let stop = 0; stop < 5; stop++) {
      const { port, server } = await runSite([], {}, data);
      const { answered, lost } = await stopUnderLoad({ port, connections }, () => server.close());
      expect(lost).toEqual([]);
      expect(answered).toBeGreaterThanOrEqual(answersBeforeStop);
    }
  });

  test('workers lose no request (security rule 21)', async () => {
    for (let stop = 0; stop < 2; stop++) {
      const site = await serve(['--workers', '2'], { GANTRY_DATA: data });
      const { lost } = await stopUnderLoad({ port: site.port, connections }, () => site.stop());
      expect(lost).toEqual([]);
    }
  });
});

test('a worker that stops loses no request, and another replaces it (security rule 21)', async () => {
  const site = await serve(['--workers', '2'], { GANTRY_DATA: data });
  const workers = execFileSync('pgrep', ['-P', String(site.child.pid)], { encoding: 'utf8' });
  let stopped: Promise<unknown> | undefined;
  const onAnswer = (answered: number): void => {
    if (answered === 100) process.kill(Number.parseInt(workers, 10), 'SIGTERM');
    if (site.errors().includes('A worker ended (0)')) stopped ??= site.stop();
  };
  const { lost } = await loadUntilRefused({ port: site.port, clients, connections: 'new', onAnswer });
  expect([lost, await stopped]).toEqual([[], 0]);
});

test('a server that only closes its port resets what the system had accepted for it (positive control)', async () => {
  const naive = createServer((_, response) => response.setHeader('Content-Length', 2).end('ok'));
  await new Promise<void>((resolve) => naive.listen(0, '127.0.0.1', resolve));
  const { port } = naive.address() as AddressInfo;
  const { lost } = await stopUnderLoad({ port, connections: 'new' }, async () => naive.close());
  expect(lost.length).toBeGreaterThan(0);
});
