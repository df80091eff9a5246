import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Bucket, type Database, openBucket } from '@gantry/store';
import { bucketAddress } from '../setup/bucket-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { databaseKind } from './database-kind.ts';
import type { Keys } from './key-ring.ts';
import { openKeys } from './keys.ts';
import { openOwnDatabase } from './open-own-database.ts';
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
  const bucket = await openSiteBucket(place);
  const db = await openOwnDatabase(place, { bulk });
  return { db, ...(await prepareOrClose(db, 'site', place)), mediaFolder, bucket };
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
  const bucket = await openSiteBucket(place);
  const db = await openOwnDatabase(place);
  if ((await databaseKind(db)) === 'site') {
    await db.close();
    throw new UsageError(
      `The data of ${data} is that of gantry serve. Name another folder with --data or GANTRY_DATA.`,
    );
  }
  return { db, ...(await prepareOrClose(db, 'proxy', place)), mediaFolder: join(data, 'media'), bucket };
}

/** Opens the bucket of a site, if it names one. @throws UsageError in one line if that fails. */
export async function openSiteBucket({ bucket }: Pick<StorePlace, 'bucket'>): Promise<Bucket | undefined> {
  if (bucket === undefined) return undefined;
  try {
    return await openBucket(bucketAddress(bucket, 'bucket'));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Brings the schema up to date and opens the keys. */
async function prepareOrClose(db: Database, kind: 'site' | 'proxy', place: StorePlace): Promise<Keys> {
  try {
    await bringUpToDate(db, { kind, database: place.database });
    return await openKeys(db, place);
  } catch (error) {
    await db.close();
    throw error;
  }
}
