import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listApps } from '@gantry/proxy';
import { addApp, databaseKind, isPostgres, openDatabase, openStores, UsageError } from '@gantry/server';
import { importWorld } from '@gantry/service';
import { withStores } from '../with-stores.ts';
import type { Plan } from './plan.ts';
import { starterFolder, starters } from './starter-gadgets.ts';

export interface DataState {
  /** It belongs to a site, whose members stay unchanged. */
  readonly exists: boolean;
  /** Ids of starter gadgets that are not registered yet. */
  readonly missing: readonly string[];
}

/** World file with two sample members and their passwords, in the data folder. */
export const sampleFile = 'sample-members.json';

/** Reads the state of a data folder, read-only. @throws UsageError if it is of `gantry proxy`. */
export async function readDataState({ data, database }: Pick<Plan, 'data' | 'database'>): Promise<DataState> {
  if (!isPostgres(database) && !existsSync(database)) return { exists: false, missing: starters };
  const db = await openDatabase(database);
  try {
    const kind = await databaseKind(db);
    if (kind === 'proxy') {
      throw new UsageError(`The data of ${data} is that of gantry proxy. Name another folder with --data.`);
    }
    const registered = new Set(kind === 'site' ? (await listApps(db)).map(({ id }) => id) : []);
    return { exists: kind === 'site', missing: starters.filter((id) => !registered.has(id)) };
  } finally {
    await db.close();
  }
}

/**
 * Creates keys and database in the data folder, registers the starter gadgets, and imports two
 * sample members if members sign in at Gantry's own pages. A failure deletes a new folder.
 */
export async function prepareData(
  folder: string,
  { data, database, signIn }: Pick<Plan, 'data' | 'database' | 'signIn'>,
  { exists, missing }: DataState,
): Promise<void> {
  const isNew = !existsSync(data);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  try {
    await withStores(openStores({ data, database }), async (stores) => {
      for (const id of missing) {
        await addApp(stores, { id, folder: join(folder, starterFolder(id)), live: true, mode: 'update' });
      }
      if (!exists && signIn === 'gantry') await importWorld(stores.db, sampleWorld(data), { ...stores, folder });
    });
  } catch (error) {
    if (isNew) rmSync(data, { recursive: true, force: true });
    throw error;
  }
}

/** Returns two friends; their passwords are in a file for the owner only (security rule 30). */
function sampleWorld(data: string): object {
  const member = (id: string, displayName: string) => ({
    id,
    displayName,
    password: randomBytes(9).toString('base64url'),
  });
  const world = { members: [member('ada', 'Ada'), member('bo', 'Bo')], friendships: [['ada', 'bo']] };
  writeFileSync(join(data, sampleFile), `${JSON.stringify(world, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return world;
}
