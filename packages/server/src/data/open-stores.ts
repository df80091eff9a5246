import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@gantry/store';
import { UsageError } from '../setup/usage-error.ts';
import { databaseKind } from './database-kind.ts';
import { readKeys } from './keys.ts';
import { openDatabase } from './open-database.ts';
import { bringUpToDate } from './schema.ts';
import type { StorePlace, Stores } from './stores.ts';

/**
 * Opens the data folder of a site and migrates its database to this release's schema.
 *
 * @param options.bulk For long work that can be repeated: faster, and safe from `kill -9`, but not
 * from power loss.
 * @throws Error in one sentence if keys, schema or folder are not usable.
 */
export async function openStores(
  { data, database }: StorePlace,
  { bulk = false }: { readonly bulk?: boolean } = {},
): Promise<Stores> {
  const mediaFolder = join(data, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const db = await openDatabase(database, { bulk });
  await migrateOrClose(db, 'site', database);
  return { db, ...keys, mediaFolder };
}

/**
 * Opens the data folder of `gantry proxy`, creating it if missing: keys, and a database of app
 * registrations, grants and writes.
 *
 * @throws UsageError for the database of a whole site.
 */
export async function openProxyStores({ data, database }: StorePlace): Promise<Stores> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const db = await openDatabase(database);
  if ((await databaseKind(db)) === 'site') {
    await db.close();
    throw new UsageError(
      `The data of ${data} is that of gantry serve. Name another folder with --data or GANTRY_DATA.`,
    );
  }
  await migrateOrClose(db, 'proxy', database);
  return { db, ...keys, mediaFolder: join(data, 'media') };
}

async function migrateOrClose(db: Database, kind: 'site' | 'proxy', database: string): Promise<void> {
  try {
    await bringUpToDate(db, { kind, database });
  } catch (error) {
    await db.close();
    throw error;
  }
}
