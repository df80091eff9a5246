import { type Database, type Statement, StoreError, sql } from '@gantry/store';

/*
 * Large tables arrive in another order than that of their indexes. An existing index is then
 * changed throughout in each transaction, and every changed page is written twice; an index created
 * at the end is sorted once. So an import into an empty site creates these last.
 */

const deferredIndexes: readonly Statement[] = [
  sql`
    create unique index if not exists friendship_in_order on friendship (member_id, length(friend_id), friend_id)`,
  sql`
    create index if not exists activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc, app_id)`,
  sql`
    create index if not exists activity_newest_of_app on activity
      (member_id, app_id, posted_at_s desc, length(id) desc, id desc) where app_id is not null`,
];

export const deferredIndexCount = deferredIndexes.length;

export const dropDeferredIndexes: readonly Statement[] = [
  sql`drop index if exists friendship_in_order`,
  sql`drop index if exists activity_newest`,
  sql`drop index if exists activity_newest_of_app`,
];

/** Runs before a file is imported again: without the index, friendships would be doubled. */
export const deleteUnindexedFriendships: Statement = sql`delete from friendship`;

export async function hasNoLargeTables(db: Database): Promise<boolean> {
  const any = await db.query(sql`select 1 where exists (select 1 from friendship) or exists (select 1 from activity)`);
  return any.length === 0;
}

/** Creates the missing indexes, after friendships that were stored twice. Can be repeated. */
export async function createDeferredIndexes(db: Database, onStep: (done: number) => void): Promise<void> {
  for (const [index, statement] of deferredIndexes.entries()) {
    try {
      await db.query(statement);
    } catch (error) {
      if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
      await removeDoubleFriendships(db);
      await db.query(statement);
    }
    onStep(index + 1);
  }
}

async function removeDoubleFriendships(db: Database): Promise<void> {
  await db.batch([
    sql`drop table if exists friendship_once`,
    sql`create table friendship_once (member_id text not null, friend_id text not null)`,
    sql`insert into friendship_once (member_id, friend_id) select distinct member_id, friend_id from friendship`,
    sql`delete from friendship`,
    sql`insert into friendship (member_id, friend_id) select member_id, friend_id from friendship_once`,
    sql`drop table friendship_once`,
  ]);
}
