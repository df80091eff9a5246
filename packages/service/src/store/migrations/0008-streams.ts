import { type Migration, sql } from '@gantry/store';

/** Covers streams: the app decides who sees an activity (docs/decisions/0010-streams.md). */
export const streams: Migration = {
  number: 8,
  name: 'friends’ streams',
  statements: [
    sql`drop index activity_newest`,
    sql`create index activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc, app_id)`,
  ],
};
