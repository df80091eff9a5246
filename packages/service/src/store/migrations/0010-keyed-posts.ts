import { type Migration, sql } from '@gantry/store';

/** Posts by `Idempotency-Key`, for retries (docs/decisions/0021-writes-happen-once.md). */
export const keyedPosts: Migration = {
  number: 10,
  name: 'keyed posts',
  statements: [
    sql`create table keyed_post (
      member_id text not null references member (id) on delete cascade,
      poster text not null,
      post_key text not null,
      digest text not null,
      activity_id text not null,
      posted_at_ms bigint not null,
      primary key (member_id, poster, post_key)
    )`,
    sql`create index keyed_post_oldest on keyed_post (posted_at_ms)`,
  ],
};
