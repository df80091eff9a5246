import { type Database, type Statement, StoreError, sql } from '@gantry/store';

/*
 * Large tables arrive in an order that is not that of their indexes. An index that is kept meanwhile is changed all over with
 * every transaction, and each page that changes is written twice; made at the end, it is sorted once. So an import into a
 * site without friendships and activities makes these last.
 */

const friendshipIndex = sql`
  create unique index if not exists friendship_in_order on friendship (member_id, length(friend_id), friend_id)`;

const others: readonly Statement[] = [
  sql`
    create index if not exists activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc, app_id)`,
  sql`
    create index if not exists activity_newest_of_app on activity
      (member_id, app_id, posted_at_s desc, length(id) desc, id desc)`,
];

/** How many steps `makeLateIndexes` has. */
export const lateSteps = 1 + others.length;

export const dropLateIndexes: readonly Statement[] = [
  sql`drop index if exists friendship_in_order`,
  sql`drop index if exists activity_newest`,
  sql`drop index if exists activity_newest_of_app`,
];

/** Before the same file is imported again from its beginning: without the index every friendship would be there twice. */
export const forgetUnindexed: Statement = sql`delete from friendship`;

export async function hasNoLargeTables(db: Database): Promise<boolean> {
  const any = await db.query(sql`select 1 where exists (select 1 from friendship) or exists (select 1 from activity)`);
  return any.length === 0;
}

/** Makes the indexes that are missing; those that are there stay, so it can be repeated. */
export async function makeLateIndexes(db: Database, onStep: (done: number) => void): Promise<void> {
  await makeFriendshipIndex(db);
  onStep(1);
  for (const [index, statement] of others.entries()) {
    await db.query(statement);
    onStep(index + 2);
  }
}

/** Without its index nothing kept a friendship from being stored twice; then the doubles go first. */
async function makeFriendshipIndex(db: Database): Promise<void> {
  try {
    await db.query(friendshipIndex);
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
    await removeDoubles(db);
    await db.query(friendshipIndex);
  }
}

async function removeDoubles(db: Database): Promise<void> {
  await db.batch([
    sql`drop table if exists friendship_once`,
    sql`create table friendship_once (member_id text not null, friend_id text not null)`,
    sql`insert into friendship_once (member_id, friend_id) select distinct member_id, friend_id from friendship`,
    sql`delete from friendship`,
    sql`insert into friendship (member_id, friend_id) select member_id, friend_id from friendship_once`,
    sql`drop table friendship_once`,
  ]);
}
