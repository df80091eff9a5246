import { type Migration, sql } from '@gantry/store';

/**
 * Names each registration, so that data of one app never passes to another under its id
 * (docs/decisions/0034-an-app-is-more-than-its-id.md). Apps and grants from before share the name
 * `''`.
 */
export const registrations: Migration = {
  number: 6,
  name: 'registrations',
  statements: [
    sql`alter table app_registrations add column registration text not null default ''`,
    // Null for an app from before this migration.
    sql`alter table app_registrations add column registered_at_ms bigint`,
    sql`alter table app_registrations add column updated_at_ms bigint`,
    // Only before a foreign upstream; a site with its own service stores this with the app's keys.
    sql`alter table app_registrations add column paused integer not null default 0`,
    sql`alter table app_grants add column registration text not null default ''`,
    // 1 after the app's end, until its successor is used or decided on.
    sql`alter table having_report add column is_ended integer not null default 0`,
    // Removed apps, whose data is still stored.
    sql`create table removed_apps (
      id text primary key, registration text not null, name text not null, folder text, url text,
      consumer_key text not null, registered_at_ms bigint, removed_at_ms bigint not null
    )`,
  ],
};
