import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from './database.ts';
import { type Statement, sql } from './sql.ts';

/** Rows of a table that are no longer needed. */
export interface ExpiredRows {
  readonly table: Statement;
  /** Columns of its primary key. */
  readonly key: readonly string[];
  /** Condition that an index serves. */
  readonly where: Statement;
}

/** Most rows that one statement deletes: a million in one statement stop a server for seconds. */
const rowsATurn = 1_000;

/** Builds the statement that deletes the next thousand expired rows, which a write can carry. */
export function deleteSomeExpired({ table, key, where }: ExpiredRows): Statement {
  const columns = sql.names(key);
  // The limit is text: for a placeholder PostgreSQL would plan to delete a tenth of the table.
  const limit: Statement = { ...sql.empty, strings: [`limit ${rowsATurn}`] };
  // Twice: of a row that was changed meanwhile PostgreSQL asks the outer condition only.
  return sql`
    delete from ${table} where (${columns}) in (select ${columns} from ${table} where ${where} ${limit}) and (${where})
    returning 1 as gone`;
}

/** Deletes all expired rows, a thousand a turn, so that other statements go on between. */
export async function deleteExpired(db: Database, expired: ExpiredRows): Promise<void> {
  const statement = deleteSomeExpired(expired);
  while ((await db.query(statement)).length === rowsATurn) await turn();
}
