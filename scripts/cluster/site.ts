import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSite } from '../../bench/durability/import-site.ts';
import { type ServerProcess, startServerProcess } from '../../bench/durability/server.ts';
import { gantry } from '../../packages/cli/test/real-site.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import { viewerKey } from '../../packages/server/test/viewer-token.ts';

/** A site in a database of a cluster. */
export interface Site {
  /** Starts two processes of Gantry, with more flags. */
  start(flags?: readonly string[]): Promise<Processes>;
  remove(): void;
}

export interface Processes {
  readonly ports: readonly number[];
  stop(): Promise<void>;
}

/** Fills the database with a world, and adds the app `board`. */
export async function createSite(database: string, world: object): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-cluster-site-'));
  function remove(): void {
    process.off('exit', remove);
    rmSync(data, { recursive: true, force: true });
  }
  process.on('exit', remove);
  const place = ['--data', data, '--database', database];
  await importSite(data, world, place);
  const app = join(data, 'board');
  mkdirSync(app);
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html' }));
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
  await gantry(['app', 'add', app, '--id', 'board', ...place], {});

  return {
    async start(flags = []) {
      const ports = [await freePort(), await freePort()];
      const env = { GANTRY_VIEWER_KEY: viewerKey, GANTRY_SIGN_IN_URL: '/sign-in' };
      const processes: ServerProcess[] = [];
      const stop = async () => {
        for (const process of processes) await process.kill();
      };
      try {
        for (const port of ports) processes.push(await startServerProcess({ port, args: [...place, ...flags], env }));
        return { ports, stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    remove,
  };
}
