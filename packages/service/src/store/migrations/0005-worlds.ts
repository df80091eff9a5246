import { type Migration, sql } from '@gantry/store';

/**
 * Tables for worlds of millions. One index alone finds a friendship's two rows, and an import into
 * an empty site can create it last; each member has a row, so one reference per row covers both.
 * Every reference to members has an index by member, so that one can be deleted without scanning
 * tables.
 */
export const worlds: Migration = {
  number: 5,
  name: 'large worlds',
  statements: [
    sql`alter table friendship rename to friendship_before`,
    sql`drop index friendship_in_order`,
    sql`create table friendship (
      member_id text not null references member (id), friend_id text not null, check (member_id <> friend_id)
    )`,
    sql`create unique index friendship_in_order on friendship (member_id, length(friend_id), friend_id)`,
    sql`insert into friendship (member_id, friend_id) select member_id, friend_id from friendship_before`,
    sql`drop table friendship_before`,
    sql`create index block_by_blocker on block (blocker_id)`,
    sql`create index last_post_of_member on last_post (member_id)`,
    sql`create index media_file_by_name on media_file (file)`,
    // The import in progress or interrupted; next_offset and next_line say where to resume.
    sql`create table unfinished_import (
      one integer primary key check (one = 1), file text not null, fingerprint text not null,
      indexes_last integer not null, next_offset bigint not null, next_line bigint not null, records bigint not null
    )`,
  ],
};
