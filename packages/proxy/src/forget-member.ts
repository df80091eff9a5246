import { type Statement, sql } from '@gantry/store';

/**
 * Returns the statements that delete a former member's grants and write log, so that a later member
 * with the same id starts without them.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'proxy', migrations: proxyMigrations });
 * await db.batch(forgetMember('7'));
 * await db.close();
 */
export function forgetMember(id: string): readonly Statement[] {
  return [sql`delete from app_grants where viewer = ${id}`, sql`delete from write_log where viewer = ${id}`];
}
