import { type Migration, sql } from '@gantry/store';

/**
 * Adds the reports of installs to another Gantry (docs/decisions/0033-having-an-app.md), bounded by
 * one row for a member and an app. `permissions` is null after the app was removed.
 */
export const installReports: Migration = {
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
