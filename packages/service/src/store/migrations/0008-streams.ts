import { type Migration, sql } from '@gantry/store';

/**
 * When members last posted, through each app and (`app_id` is empty) at all, for friends' streams
 * (docs/decisions/0010-streams.md). A member without a row never did.
 */
export const streams: Migration = {
  number: 8,
  name: 'friends’ streams',
  statements: [
    sql`create table newest_activity (
      member_id text not null references member (id) on delete cascade, app_id text not null, newest_s bigint not null,
      primary key (member_id, app_id)
    )`,
    // Holds all that a stream asks, so that a friend costs one look.
    sql`create index newest_activity_in_app on newest_activity (app_id, member_id, newest_s)`,
    sql`insert into newest_activity (member_id, app_id, newest_s)
      select member_id, '', max(posted_at_s) from activity group by member_id`,
    sql`insert into newest_activity (member_id, app_id, newest_s)
      select member_id, app_id, max(posted_at_s) from activity where app_id is not null group by member_id, app_id`,
    // With the app, on which it depends who sees an activity, so that streams are read from the index alone.
    sql`drop index activity_newest`,
    sql`create index activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc, app_id)`,
  ],
};
