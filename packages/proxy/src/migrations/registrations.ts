import { type Migration, sql } from '@gantry/store';

/**
 * Names each registration, so that what belongs to one app never passes to another under its id
 * (docs/decisions/0034-an-app-is-more-than-its-id.md). Apps and grants from before share the name `''`.
 */
export const registrations: Migration = {
  number: 6,
  name: 'registrations',
  statements: [
    sql`alter table app_registrations add column registration text not null default ''`,
    // Null for an app from before. It is not known then.
    sql`alter table app_registrations add column registered_at_ms bigint`,
    sql`alter table app_registrations add column updated_at_ms bigint`,
    // Only before an upstream of somebody else; a whole site keeps this with the app's keys.
    sql`alter table app_registrations add column paused integer not null default 0`,
    sql`alter table app_grants add column registration text not null default ''`,
    // Nobody had the app since it ended: its next use is a first one.
    sql`alter table having_report add column is_ended integer not null default 0`,
    // What a removed app was, since what it stored is still there.
    sql`create table removed_apps (
      id text primary key, registration text not null, name text not null, folder text, url text,
      consumer_key text not null, registered_at_ms bigint, removed_at_ms bigint not null
    )`,
  ],
};
