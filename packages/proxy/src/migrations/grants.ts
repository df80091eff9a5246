import { type Migration, sql } from '@gantry/store';

export const grants: Migration = {
  number: 3,
  name: 'grants',
  statements: [
    // A trusted app has what it declares until a member revokes it.
    sql`alter table app_registrations add column trusted integer not null default 0`,
    // A row for each permission, so that two tabs never overwrite each other's decisions.
    sql`create table app_grants (
      viewer text not null, app_id text not null, permission text not null,
      granted integer not null, manifest_digest text not null, decided_at_ms bigint not null,
      primary key (viewer, app_id, permission)
    )`,
    sql`create index app_grants_of_app on app_grants (app_id)`,
  ],
};
