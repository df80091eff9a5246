import type { Database } from '@gantry/store';
import { printableDatabase } from '../setup/database-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { belongsToAnother } from './database-kind.ts';
import { openDatabase } from './open-database.ts';
import type { StorePlace } from './stores.ts';

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
