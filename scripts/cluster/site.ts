import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSite } from '../../bench/durability/import-site.ts';
import { type ServerProcess, startServerProcess } from '../../bench/durability/server.ts';
import { writersSite } from '../../bench/writers-site.ts';
import { gantry } from '../../packages/cli/test/real-site.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import { viewerKey } from './event-listener.ts';

/** Two processes of Gantry on one database. */
export interface Site {
  readonly ports: readonly number[];
  close(): Promise<void>;
}

/** Member who is a friend of all writers and hears of their posts. */
export const reader = 'reader';

/** Fills the database with a site of these writers, and starts two processes on it. */
export async function startSite(database: string, writerIds: readonly string[]): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-cluster-site-'));
  const place = ['--data', data, '--database', database];
  const site = writersSite(writerIds);
  const members = [...site.members, { id: reader, displayName: 'Reader' }];
  const friendships = writerIds.map((id) => [reader, id]);
  const installs = [...site.installs, { appId: 'notes', memberId: reader }];
  const processes: ServerProcess[] = [];
  const close = async () => {
    for (const process of processes) await process.kill();
    rmSync(data, { recursive: true });
  };
  try {
    await importSite(data, { ...site, members, friendships, installs }, place);
    const app = join(data, 'board');
    mkdirSync(app);
    writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html' }));
    writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
    await gantry(['app', 'add', app, '--id', 'board', ...place], {});
    const ports = [await freePort(), await freePort()];
    const env = { GANTRY_VIEWER_KEY: viewerKey, GANTRY_SIGN_IN_URL: '/sign-in' };
    for (const port of ports) processes.push(await startServerProcess({ port, args: place, env }));
    return { ports, close };
  } catch (error) {
    await close();
    throw error;
  }
}
