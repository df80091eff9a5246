import type { Database } from './database.ts';
import { type Statement, sql } from './sql.ts';

/** The fact that something of a member changed, without the new value. */
export interface LoggedChange {
  readonly topic: string;
  /** `''` for a change that concerns no single member. */
  readonly memberId: string;
  /** App to which the changed data belongs, if any. */
  readonly appId: string | undefined;
}

/** A table of changes in the order in which they were made (docs/decisions/0020-events.md). */
export interface ChangeLog {
  readonly table: Statement;
  /** Creates the table; for a migration. */
  readonly create: Statement;
  /**
   * Adds a row, in the transaction that makes the change. @param from Tables and conditions that
   * have one row if the change is made, for a write that may be refused.
   */
  add(change: LoggedChange, from?: Statement): Statement;
  adds(statement: Statement): boolean;
}

/**
 * Describes the log in a table. A row gets its position when it is written and becomes visible when
 * its transaction ends, so in PostgreSQL a lower one may appear after a higher one, for which
 * `createChangeFeed` waits.
 */
export function changeLog(table: Statement): ChangeLog {
  const start = `insert into ${table.strings.join('')} `;
  return {
    table,
    adds: ({ strings: [first = ''] }) => first.trimStart().startsWith(start),
    create: sql`create table ${table} (
      position integer primary key autoincrement, topic text not null, member_id text not null, app_id text
    )`,
    add: ({ topic, memberId, appId }, from = sql`where true`) => sql`
      insert into ${table} (topic, member_id, app_id) select ${topic}, ${memberId}, ${appId ?? null} ${from}`,
  };
}

/** Returns the lowest and the highest position in the log; null if it is empty. */
export async function endsOf(db: Database, { table }: ChangeLog) {
  const [ends] = await db.query<{ readonly first: number | null; readonly last: number | null }>(
    sql`select min(position) as first, max(position) as last from ${table}`,
  );
  return { first: ends?.first ?? null, last: ends?.last ?? null };
}
