import { type Migration, sql } from '@gantry/store';

/**
 * For worlds of millions. A friendship's two rows are found by one index alone, which an import into an empty site can make
 * last; and since each of the two members has a row, one reference in each row covers both. Whatever refers to members is
 * found by member, so that one can be removed without reading whole tables.
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
    // The import that is under way, or was when its process ended; next_offset and next_line are where it goes on.
    sql`create table unfinished_import (
      one integer primary key check (one = 1), file text not null, fingerprint text not null,
      indexes_last integer not null, next_offset bigint not null, next_line bigint not null, records bigint not null
    )`,
  ],
};
