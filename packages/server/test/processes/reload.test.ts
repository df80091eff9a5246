import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReplacement, type WorkerSlot } from '../../src/processes/replace-workers.ts';
import type { WorkerProcess } from '../../src/processes/worker-process.ts';
import { createReleasedSite, type ReleasedService, type ReleasedSite } from './releases.ts';

let site: ReleasedSite;
let service: ReleasedService | undefined;
beforeEach(() => {
  site = createReleasedSite();
});
afterEach(async () => {
  service?.child.kill('SIGTERM');
  await service?.ended;
  service = undefined;
  site.remove();
});

async function start(): Promise<ReleasedService> {
  service = await site.start();
  return service;
}

/** Reloads, and waits until the outcome is printed. */
async function reload(running: ReleasedService, said: string): Promise<void> {
  const from = running.printed().length;
  running.child.kill('SIGHUP');
  await expect.poll(() => running.printed().slice(from)).toContain(said);
}

test('a reload runs what is installed now, with the settings that stand in the file now', async () => {
  site.release('one');
  writeFileSync(site.settings, 'GANTRY_METRICS_TOKEN=the-token-of-before\n');
  const running = await start();
  const metrics = async (token: string) => (await running.ask('/metrics', { authorization: `Bearer ${token}` })).status;
  expect([(await running.ask()).text, await metrics('the-token-of-before')]).toEqual(['one', 200]);
  site.release('two');
  writeFileSync(site.settings, 'GANTRY_METRICS_TOKEN=the-token-of-after\n');
  await reload(running, 'Gantry reloaded, 1 new worker');
  expect([(await running.ask()).text, await metrics('the-token-of-after')]).toEqual(['two', 200]);
  expect(await metrics('the-token-of-before')).toBe(401);
});

test('a release that does not start leaves the old workers, which lose no request, and says why', async () => {
  site.release('one');
  const running = await start();
  // It takes connections already when it fails: an acceptor that hands it some loses them.
  site.release('two', `await held(); throw new Error('Two is broken.');`);
  let isOver = false;
  const reloaded = reload(running, 'Reload failed: a new worker ended (1) while it started. 1 of 1').finally(() => {
    isOver = true;
  });
  for (let count = 0; !isOver; count++) {
    if (count === 20) site.letGo();
    expect(await running.ask()).toEqual({ status: 200, text: 'one' });
  }
  await reloaded;
  expect(running.printed()).toContain('Two is broken.');
  site.release('three');
  await reload(running, 'Gantry reloaded');
  expect((await running.ask()).text).toBe('three');
});

test('a release that speaks otherwise with its main process asks for a restart, and the old workers go on', async () => {
  site.release('one');
  const running = await start();
  site.release('two');
  writeFileSync(site.settings, 'NOTHING=1\n');
  writeFileSync(
    new URL(`file://${site.settings.replace('gantry.env', 'two/release.mjs')}`),
    `process.env.GANTRY_WORKER_PROTOCOL = 'of another release'; export const release = 'two'; export const prepare = undefined;`,
  );
  await reload(running, 'Reload failed');
  expect(running.printed()).toContain('restart the service instead of reloading it');
  expect((await running.ask()).text).toBe('one');
});

test('SIGTERM during a reload stops (security rule 21)', async () => {
  site.release('one');
  const running = await start();
  site.release('two', 'console.log("two begins"); await held();');
  await reload(running, 'two begins');
  running.child.kill('SIGTERM');
  site.letGo();
  expect(await running.ended).toBe(0);
  expect(running.printed()).not.toContain('Gantry reloaded');
});

test('a worker that was replaced is killed where a request never ends', async () => {
  site.release('one');
  const running = await start();
  const cut = running.ask('/never').catch((error: Error) => error.message);
  await running.ask();
  await reload(running, 'Gantry reloaded');
  expect(await cut).toBe('fetch failed');
});

test('SIGHUP during a replacement asks for one more, however often it comes, and none runs beside another', async () => {
  const started: { isReady: () => void }[] = [];
  const said: string[] = [];
  const newWorker = (): WorkerProcess => {
    const { promise: ready, resolve } = Promise.withResolvers<string>();
    started.push({ isReady: () => resolve('http://localhost') });
    const { promise: ended, resolve: end } = Promise.withResolvers<number>();
    return { startedAtMs: 0, ready, ended, retire: () => end(0) };
  };
  const slots: WorkerSlot[] = [{ current: newWorker() }, { current: newWorker() }];
  const replace = createReplacement({
    slots,
    start: newWorker,
    isStopping: () => false,
    say: (line) => said.push(line),
    warn: (line) => said.push(line),
    retireMs: 0,
  });
  for (let times = 0; times < 5; times++) replace();
  for (let count = 3; count <= 6; count++) {
    await expect.poll(() => started.length).toBe(count);
    if (count <= 4) replace();
    started.at(-1)?.isReady();
  }
  await expect.poll(() => said.length).toBe(2);
  expect(started).toHaveLength(6);
  expect(said).toEqual(Array(2).fill('Gantry reloaded, 2 new workers'));
});
