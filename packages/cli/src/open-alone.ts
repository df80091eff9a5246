import { openDatabase, printableDatabase, UsageError } from '@gantry/server';
import { type Database, StoreError } from '@gantry/store';

/** Opens a database that no other process uses. */
export async function openAlone(database: string): Promise<Database> {
  try {
    return await openDatabase(database, { bulk: true, exclusive: true });
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason !== 'unavailable') throw error;
    const where = printableDatabase(database);
    throw new UsageError(`${where} is in use, or out of reach (${error.message}): stop the site's servers first.`);
  }
}
