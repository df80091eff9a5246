import { type Database, StoreError, sql } from '@gantry/store';

/** Progress of `gantry move` in the database that it fills, by table; `''` names the source. */
interface MoveRow {
  readonly table_name: string;
  readonly last_key: string;
  readonly row_count: number;
}

/** Reads the progress of an unfinished `gantry move` into a database; `undefined` without one. */
export async function readUnfinishedMove(db: Database): Promise<readonly MoveRow[] | undefined> {
  try {
    return await db.query<MoveRow>(sql`select table_name, last_key, row_count from unfinished_move`);
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'other') return undefined; // no such table
    throw error;
  }
}
