import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Bucket, type Database, openBucket } from '@gantry/store';
import { bucketAddress } from '../setup/bucket-address.ts';
import { printableDatabase } from '../setup/database-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { belongsToAnother, databaseKind } from './database-kind.ts';
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
  place: StorePlace,
  { bulk = false }: { readonly bulk?: boolean } = {},
): Promise<Stores> {
  const { data } = place;
  const mediaFolder = join(data, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const bucket = await openSiteBucket(place);
  const db = await openOwnDatabase(place, { bulk });
  await migrateOrClose(db, 'site', place.database);
  return { db, ...keys, mediaFolder, ...(bucket && { bucket }) };
}

/**
 * Opens the data folder of `gantry proxy`, creating it if missing: keys, and a database of app
 * registrations, grants and writes.
 *
 * @throws UsageError for the database of a whole site.
 */
export async function openProxyStores(place: StorePlace): Promise<Stores> {
  const { data } = place;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const keys = readKeys(data);
  const bucket = await openSiteBucket(place);
  const db = await openOwnDatabase(place);
  if ((await databaseKind(db)) === 'site') {
    await db.close();
    throw new UsageError(
      `The data of ${data} is that of gantry serve. Name another folder with --data or GANTRY_DATA.`,
    );
  }
  await migrateOrClose(db, 'proxy', place.database);
  return { db, ...keys, mediaFolder: join(data, 'media'), ...(bucket && { bucket }) };
}

/**
 * Opens the database of a site.
 *
 * @throws UsageError for a found database that is another program's.
 */
export async function openOwnDatabase(
  { database, databaseIsFound = false, directUrl }: StorePlace,
  options: { readonly bulk?: boolean } = {},
): Promise<Database> {
  const db = await openDatabase(database, { ...options, directUrl });
  if (!databaseIsFound || !(await belongsToAnother(db))) return db;
  await db.close();
  throw new UsageError(
    `DATABASE_URL names ${printableDatabase(database)}, which has tables of another program. Name one for Gantry with --database or GANTRY_DATABASE.`,
  );
}

async function openSiteBucket({ bucket }: StorePlace): Promise<Bucket | undefined> {
  if (bucket === undefined) return undefined;
  try {
    return await openBucket(bucketAddress(bucket, 'bucket'));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function migrateOrClose(db: Database, kind: 'site' | 'proxy', database: string): Promise<void> {
  try {
    await bringUpToDate(db, { kind, database });
  } catch (error) {
    await db.close();
    throw error;
  }
}
