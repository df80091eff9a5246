import { dirname } from 'node:path';
import type { LabApp } from '@gantry/lab';
import type { WorkerInfo } from '@playwright/test';
import { type AppUnderTest, findApps } from './apps.ts';
import { beginRun } from './end-run.ts';
import { startKitServer } from './kit-server.ts';
import { createWorlds } from './worlds.ts';

/** Parts that the tests of one worker share. */
export type Kit = Awaited<ReturnType<typeof openKit>>;

/** The kit of a worker, or the error with which its first test ends the run. */
export type KitOrProblem = { readonly kit: Kit } | { readonly problem: string };

export async function kitFixture(
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
  {}: object,
  use: (kit: KitOrProblem) => Promise<void>,
  workerInfo: WorkerInfo,
): Promise<void> {
  await beginRun(workerInfo);
  const opened = await openKit(workerInfo).then(
    (kit) => ({ kit }),
    (error: Error) => ({ problem: error.message }),
  );
  await use(opened);
  if ('kit' in opened) await opened.kit.close();
}

/** Apps and worlds are relative to the folder of the configuration file. */
async function openKit({ config: { configFile, rootDir } }: WorkerInfo) {
  const folder = configFile ? dirname(configFile) : rootDir;
  const server = await startKitServer();
  const worlds = createWorlds(folder);
  const opened = new Map<string, Promise<readonly AppUnderTest[]>>();
  return {
    server,
    worlds,
    /** Finds apps, each list once. @throws Error with reason and cure. */
    apps(wanted: readonly (string | LabApp)[]): Promise<readonly AppUnderTest[]> {
      const key = JSON.stringify(wanted);
      const apps = opened.get(key) ?? findApps(wanted, folder);
      opened.set(key, apps);
      return apps;
    },
    async close(): Promise<void> {
      await server.close();
      await worlds.close();
    },
  };
}
