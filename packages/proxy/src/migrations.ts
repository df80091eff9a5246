import { type Migration, sharedRatesTable, sql } from '@gantry/store';
import { proxyChangeLog } from './events/proxied-changes.ts';

/** Migrations of the proxy's own tables. */
export const proxyMigrations: readonly Migration[] = [
  {
    number: 1,
    name: 'app registrations',
    statements: [
      sql`create table app_registrations (
        id text primary key,
        folder text,
        url text,
        manifest text not null,
        consumer_key text not null,
        consumer_secret text not null,
        check ((folder is null) <> (url is null))
      )`,
    ],
  },
  {
    // Writes and their outcomes (docs/decisions/0021-writes-happen-once.md).
    number: 2,
    name: 'write log',
    statements: [
      sql`create table write_log (
        viewer text not null,
        app text not null,
        id text not null,
        digest text not null,
        state text not null check (state in ('started', 'done', 'unknown')),
        attempt text not null,
        reply text,
        at_ms bigint not null,
        primary key (viewer, app, id)
      )`,
      sql`create index write_log_oldest on write_log (at_ms)`,
    ],
  },
  {
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
  },
  // Writes through the proxy (docs/decisions/0020-events.md).
  { number: 4, name: 'events', statements: [proxyChangeLog.create] },
  {
    // Reports of installs to another Gantry (docs/decisions/0033-having-an-app.md), one row for a
    // member and an app. `permissions` is null after the app was removed.
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
  },
  {
    // Names each registration, so that data of one app never passes to another under its id
    // (docs/decisions/0034-an-app-is-more-than-its-id.md). Those from before share the name `''`.
    number: 6,
    name: 'registrations',
    statements: [
      sql`alter table app_registrations add column registration text not null default ''`,
      // Null for an app from before this migration.
      sql`alter table app_registrations add column registered_at_ms bigint`,
      sql`alter table app_registrations add column updated_at_ms bigint`,
      // Before a foreign upstream only; our service stores this with the app's keys.
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
  },
  {
    // Versions of apps (docs/decisions/0087-versions-of-apps.md). The release before reads and
    // writes none of this: to it such an app is one whose files are missing.
    number: 7,
    name: 'versions of apps',
    oldest: 6,
    statements: [
      // Digest of the live version; null for a folder that is served as it is, and a remote app.
      sql`alter table app_registrations add column version text`,
      // Digest of the version that the member was asked about.
      sql`alter table app_grants add column version text`,
      sql`create table app_chunks (digest text primary key, size integer not null, seen_at_ms bigint not null)`,
      // Apart from their digests, so that nothing but a read or a deletion touches bytes.
      sql`create table app_chunk_bytes (digest text primary key references app_chunks on delete cascade)`,
      sql`alter table app_chunk_bytes add column bytes blob`,
      sql`create table app_versions (
        app_id text not null, registration text not null, digest text not null,
        state text not null check (state in ('accepted', 'waiting', 'preview', 'refused')),
        bytes bigint not null, made_by text not null, made_at_ms bigint not null,
        decided_by text, decided_at_ms bigint, named_at_ms bigint not null,
        statement text, manifest text not null, files text not null,
        primary key (app_id, registration, digest)
      )`,
      // Refuses versions without all of their chunks, and the deletion of a chunk in use.
      sql`create table app_version_chunks (
        app_id text not null, registration text not null, version text not null,
        chunk text not null references app_chunks (digest),
        primary key (app_id, registration, version, chunk),
        foreign key (app_id, registration, version) references app_versions on delete cascade
      )`,
      sql`create index app_version_chunks_of_chunk on app_version_chunks (chunk)`,
      sql`create table app_previews (
        app_id text not null, registration text not null, member_id text not null, version text not null,
        accepted integer, offered_at_ms bigint not null, decided_at_ms bigint,
        primary key (app_id, registration, member_id),
        foreign key (app_id, registration, version) references app_versions on delete cascade
      )`,
      sql`create index app_previews_of_version on app_previews (app_id, registration, version)`,
      sql`create index app_previews_of_member on app_previews (member_id)`,
      // Rows are only added. The id begins with the time, so that it orders them.
      sql`create table app_audit (
        id text primary key, at_ms bigint not null, actor text not null, app_id text not null,
        action text not null, from_version text, to_version text,
        outcome text not null check (outcome in ('done', 'refused')), detail text
      )`,
      sql`create index app_audit_of_app on app_audit (app_id, id)`,
      sql`create table registry_keys (
        id text primary key, digest text not null, title text not null, apps text not null,
        may text not null check (may in ('live', 'approval', 'preview')),
        created_at_ms bigint not null, expires_at_ms bigint not null
      )`,
      sql`create unique index registry_keys_of_digest on registry_keys (digest)`,
    ],
  },
  {
    // Chunks that a bucket may have without a row of app_chunks
    // (docs/decisions/0095-blobs-behind-one-port.md).
    number: 8,
    name: 'chunks in a bucket',
    oldest: 6,
    statements: [
      sql`create table app_loose_chunks (digest text primary key, since_ms bigint not null, removing_at_ms bigint)`,
    ],
  },
  // Rates that all processes count together (docs/decisions/0097-shared-rates.md).
  { number: 9, name: 'shared rates', oldest: 6, statements: sharedRatesTable },
];
