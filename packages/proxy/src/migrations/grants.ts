import { type Migration, sql } from '@gantry/store';

export const grants: Migration = {
  number: 3,
  name: 'grants',
  statements: [
    // What a trusted app declares is granted until a member takes it back.
    sql`alter table app_registrations add column trusted integer not null default 0`,
    // One row for each decision, so that two tabs of a member never overwrite each other's.
    sql`create table app_grants (
      viewer text not null, app_id text not null, permission text not null,
      granted integer not null, manifest_digest text not null, decided_at_ms bigint not null,
      primary key (viewer, app_id, permission)
    )`,
    sql`create index app_grants_of_app on app_grants (app_id)`,
  ],
};
