import { type Migration, sql } from '@gantry/store';

/**
 * How a member came to have an app, and who ended that (docs/decisions/0033-having-an-app.md).
 *
 * `granted` limits a key of the app itself: names of permissions, separated by spaces; null where the site gave the app.
 * `ended_by` is 0 for nobody, 1 for the site, 2 for the member: only the site's own word undoes what a member ended.
 * `changed_at_ms` is when a member last decided, 0 where that is not known.
 */
export const having: Migration = {
  number: 11,
  name: 'having an app',
  statements: [
    sql`alter table member_app add column granted text`,
    sql`alter table member_app add column ended_by integer not null default 0`,
    sql`alter table member_app add column changed_at_ms bigint not null default 0`,
    sql`update member_app set ended_by = 1 where installed = 0`,
    sql`create index member_app_of_app on member_app (app_id)`,
  ],
};
