import { type Migration, sql } from '@gantry/store';

/**
 * Who has which app, as another Gantry is told by records (docs/decisions/0033-having-an-app.md): one row for a member and
 * an app, so that no member fills the table by changing their mind. `permissions` is null where they have it no longer.
 */
export const having: Migration = {
  number: 5,
  name: 'having an app',
  statements: [
    sql`create table having_report (
      viewer text not null, app_id text not null,
      permissions text, removes_data integer not null, changed_at_ms bigint not null,
      is_pending integer not null, is_refused integer not null default 0,
      tries integer not null default 0, due_at_ms bigint not null,
      primary key (viewer, app_id)
    )`,
    sql`create index having_report_due on having_report (is_pending, due_at_ms)`,
    sql`create index having_report_of_app on having_report (app_id)`,
  ],
};
