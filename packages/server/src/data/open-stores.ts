import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { proxyMigrations } from '@gantry/proxy';
import { serviceMigrations } from '@gantry/service';
import { type Database, type MigrationSet, migrate } from '@gantry/store';
import { release } from '@gantry/wire';
import { printableDatabase } from '../setup/database-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { belongsToAnother, databaseKind } from './database-kind.ts';
import { readKeys } from './keys.ts';
import { openDatabase } from './open-database.ts';
import { siteMigrations } from './site-having.ts';
import type { StorePlace, Stores } from './stores.ts';
import { readUnfinishedMove } from './unfinished-move.ts';

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
  const db = await openOwn(place, { bulk });
  await migrateOrClose(db, schemaOf('site'));
  return { db, ...keys, mediaFolder };
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
  const db = await openOwn(place);
  if ((await databaseKind(db)) === 'site') {
    await db.close();
    throw new UsageError(
      `The data of ${data} is that of gantry serve. Name another folder with --data or GANTRY_DATA.`,
    );
  }
  await migrateOrClose(db, schemaOf('proxy'));
  return { db, ...keys, mediaFolder: join(data, 'media') };
}

/** Returns the migrations of this release for a whole site, or for `gantry proxy`. */
export function schemaOf(kind: 'site' | 'proxy'): readonly MigrationSet[] {
  const proxy = { name: 'proxy', migrations: proxyMigrations, release } as const;
  if (kind === 'proxy') return [proxy];
  return [{ name: 'service', migrations: serviceMigrations, release }, proxy, siteMigrations()];
}

/** @throws UsageError for a found database that is another program's. */
async function openOwn(
  { database, databaseIsFound = false }: StorePlace,
  options: { readonly bulk?: boolean } = {},
): Promise<Database> {
  const db = await openDatabase(database, options);
  if (!databaseIsFound || !(await belongsToAnother(db))) return db;
  await db.close();
  throw new UsageError(
    `DATABASE_URL names ${printableDatabase(database)}, which has tables of another program. Name one for Gantry with --database or GANTRY_DATABASE.`,
  );
}

async function migrateOrClose(db: Database, sets: readonly MigrationSet[]): Promise<void> {
  try {
    if (await readUnfinishedMove(db)) {
      throw new UsageError('This database is filled by an unfinished gantry move: run that again first.');
    }
    for (const set of sets) await migrate(db, set);
  } catch (error) {
    await db.close();
    throw error;
  }
}
