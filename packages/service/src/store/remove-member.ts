import { type Statement, sql } from '@gantry/store';

/** Two members; for a block the blocker first. */
export type Pair = readonly [memberId: string, memberId: string];

/**
 * Builds the statements that delete a member with all their data (contract §9): friendships and
 * blocks, both ways; AppData, activities, albums and photos; consumer keys with their tokens. Each
 * statement uses an index.
 */
export function removeMember(id: string): readonly Statement[] {
  const albums = sql`select id from album where member_id = ${id}`;
  const items = sql`select id from media_item where album_id in (${albums})`;
  return [
    sql`
      delete from friendship where member_id in (select friend_id from friendship as mine where mine.member_id = ${id})
        and length(friend_id) = length(${id}) and friend_id = ${id}`,
    sql`delete from friendship where member_id = ${id}`,
    sql`delete from block where blocked_id = ${id}`,
    sql`delete from block where blocker_id = ${id}`,
    sql`delete from app_data where member_id = ${id}`,
    sql`delete from member_app where member_id = ${id}`,
    sql`delete from last_post where member_id = ${id}`,
    sql`delete from activity where member_id = ${id}`,
    sql`delete from media_file where item_id in (${items})`,
    sql`delete from media_item where album_id in (${albums})`,
    sql`delete from album where member_id = ${id}`,
    sql`delete from consumer where member_id = ${id}`,
    sql`delete from member where id = ${id}`,
  ];
}

/** Builds the statements that end a friendship, for both members. */
export function endFriendship([first, second]: Pair): readonly Statement[] {
  const row = (member: string, friend: string) => sql`
    delete from friendship where member_id = ${member} and length(friend_id) = length(${friend}) and friend_id = ${friend}`;
  return [row(first, second), row(second, first)];
}

export function endBlock([blocker, blocked]: Pair): Statement {
  return sql`delete from block where blocked_id = ${blocked} and blocker_id = ${blocker}`;
}
