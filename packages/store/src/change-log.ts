import { type Statement, sql } from './sql.ts';

/** That something of a member is not what it was. Never what it is now. */
export interface LoggedChange {
  readonly topic: string;
  /** `''` for what concerns no one member. */
  readonly memberId: string;
  /** App to which it belongs, where it belongs to one. */
  readonly appId: string | undefined;
}

/** A table of changes in the order in which they were made, for whoever shows what changed (docs/decisions/0020-events.md). */
export interface ChangeLog {
  /** The name of the table. */
  readonly table: Statement;
  /** What a migration makes. */
  readonly create: Statement;
  /**
   * Stands in the transaction that makes the change.
   *
   * @param from Tables and conditions that have one row if it is made, for a write that may be refused.
   */
  add(change: LoggedChange, from?: Statement): Statement;
  /** True for a statement that adds rows. */
  adds(statement: Statement): boolean;
}

/**
 * A position is given when a row is written and seen when its transaction ends, so in PostgreSQL a lower one may be seen
 * after a higher one: `createChangeFeed` reads with that in mind.
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
