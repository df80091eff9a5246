import { dirname } from 'node:path';
import type { LabApp } from '@gantry/lab';
import type { TestInfo, WorkerInfo } from '@playwright/test';
import { type AppUnderTest, findApps } from './apps.ts';
import { type KitServer, startKitServer } from './kit-server.ts';
import { createWorlds, type Worlds } from './worlds.ts';

/** Parts that the tests of one worker share. */
export interface Kit {
  readonly server: KitServer;
  readonly worlds: Worlds;
  /** Folder that apps and worlds are relative to: that of the configuration file. */
  readonly folder: string;
  /** Finds apps, each list once. @throws Error with reason and cure. */
  apps(wanted: readonly (string | LabApp)[]): Promise<readonly AppUnderTest[]>;
  close(): Promise<void>;
}

/** @throws Error with the cure, where the server cannot start. */
export async function openKit({ config: { configFile, rootDir } }: WorkerInfo | TestInfo): Promise<Kit> {
  const folder = configFile ? dirname(configFile) : rootDir;
  const server = await startKitServer();
  const worlds = createWorlds(folder);
  const found = new Map<string, Promise<readonly AppUnderTest[]>>();
  return {
    ...{ server, worlds, folder },
    apps(wanted) {
      const key = JSON.stringify(wanted);
      const apps = found.get(key) ?? findApps(wanted, folder);
      found.set(key, apps);
      return apps;
    },
    async close() {
      await server.close();
      await worlds.close();
    },
  };
}
