import { type Migration, sql } from '@gantry/store';

/**
 * Origin and end of each install (docs/decisions/0033-having-an-app.md).
 *
 * `granted` limits the app's own key: permissions separated by spaces; null if the site gave the
 * app. `ended_by` is 0 for not removed, 1 for the site, 2 for the member: only the site's own
 * records undo a member's removal. `changed_at_ms` is the member's last decision, 0 if unknown.
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
