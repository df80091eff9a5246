import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '@gantry/account';
import { openStores } from '@gantry/server';
import { importWorld } from '@gantry/service';
import type { Contestant } from './figures/rounds.ts';
import { world } from './world.ts';

const requests = 5_000;

/**
 * Opens a site in this process whose `viewer` names a member, and measures what it adds to each
 * request of a page that the member is looked up. Costs are microseconds.
 */
export async function openLookUp(): Promise<{ readonly cost: Contestant; close(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const stores = await openStores({ data, database: join(data, 'gantry.db') });
  await importWorld(stores.db, world, { ...stores, folder: data });
  const publicUrl = 'http://localhost:4400';
  const { viewer } = createAccount({ ...stores, publicUrl, viewer: async () => '1' });
  const request = new Request(publicUrl);
  return {
    async cost() {
      const [before, startMs] = [process.cpuUsage(), performance.now()];
      for (let index = 0; index < requests; index++) await viewer(request);
      const wall = ((performance.now() - startMs) * 1_000) / requests;
      const { user, system } = process.cpuUsage(before);
      return { wall, cpu: (user + system) / requests };
    },
    async close() {
      await stores.db.close();
      await rm(data, { recursive: true });
    },
  };
}
