import { type Migration, sql } from '@gantry/store';
import { siteChanges } from './versions.ts';

/** Migrations of the service's tables. */
export const serviceMigrations: readonly Migration[] = [
  // Levels are indexes into `levels`: 0 site, 1 friends, 2 private. A friendship is two rows, so
  // that every list of friends is one range of one index. Ids are ordered by length, then code
  // point, as in the indexes.
  {
    number: 1,
    name: 'members, apps, activities, AppData, albums',
    statements: [
      sql`create table setting (name text primary key, value text not null)`,
      sql`create table member (
        id text primary key, display_name text not null, thumbnail_url text not null, about_me text not null,
        region text not null, birthday text not null, gender text not null, language text not null,
        about_me_level integer not null, region_level integer not null, age_level integer not null,
        birthday_level integer not null, gender_level integer not null, language_level integer not null,
        admin integer not null
      )`,
      sql`create index member_in_order on member (length(id), id)`,
      sql`create table friendship (
        member_id text not null references member (id), friend_id text not null references member (id),
        primary key (member_id, friend_id), check (member_id <> friend_id)
      )`,
      sql`create index friendship_in_order on friendship (member_id, length(friend_id), friend_id)`,
      sql`create table block (
        blocked_id text not null references member (id), blocker_id text not null references member (id),
        primary key (blocked_id, blocker_id), check (blocked_id <> blocker_id)
      )`,
      sql`create table app (id text primary key, title text not null, url text not null, active integer not null)`,
      // A removed app keeps its row: the level still applies to the activities that it posted.
      sql`create table member_app (
        member_id text not null references member (id), app_id text not null references app (id),
        installed integer not null, level integer not null,
        app_data_bytes integer not null default 0 check (app_data_bytes <= 102400),
        primary key (member_id, app_id)
      )`,
      sql`create table app_data (
        member_id text not null, app_id text not null, key text not null, value text not null,
        primary key (member_id, app_id, key), foreign key (member_id, app_id) references member_app (member_id, app_id)
      )`,
      sql`create table consumer (
        key text primary key, kind text not null, method text not null, sealed_secret text not null,
        member_id text references member (id), app_id text references app (id),
        container integer not null, any_member integer not null, created_at_ms bigint not null
      )`,
      sql`create table activity (
        id text primary key, member_id text not null references member (id), app_id text references app (id),
        title text not null, url text, posted_at_s bigint not null
      )`,
      sql`create index activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc)`,
      sql`create index activity_newest_of_app on activity
        (member_id, app_id, posted_at_s desc, length(id) desc, id desc)`,
      sql`create table last_post (
        poster text not null, member_id text not null references member (id),
        activity_id text not null, posted_at_ms bigint not null, primary key (poster, member_id)
      )`,
      sql`create table album (
        id text primary key, member_id text not null references member (id), title text not null,
        description text not null, thumbnail_url text not null, media_type text not null, level integer not null
      )`,
      sql`create index album_in_order on album (member_id, length(id), id)`,
      sql`create table media_item (
        id text primary key, album_id text not null references album (id), title text not null,
        description text not null, type text not null, created_at_s bigint not null, updated_at_s bigint not null,
        file_size bigint not null, url text not null, thumbnail_url text not null, level integer not null
      )`,
      sql`create index media_item_in_order on media_item (album_id, length(id), id)`,
      // Tokens in an item's URLs. New tokens for the same files invalidate the old URLs.
      sql`create table media_file (
        token text primary key, item_id text not null references media_item (id), file text not null, type text not null
      )`,
      sql`create index media_file_of_item on media_file (item_id)`,
    ],
  },
  // Versions for validators (docs/decisions/0007-validators.md). No row means version 0.
  {
    number: 2,
    name: 'versions',
    statements: [
      sql`create table site_version (one integer primary key check (one = 1), epoch text not null)`,
      sql`create table member_version (
        member_id text not null, topic text not null, n bigint not null, primary key (member_id, topic)
      )`,
    ],
  },
  // Signature methods and tokens of OAuth (contract §5). A request token can be used once, claimed
  // by `used_by`; its verifier is stored as a digest. Tokens are deleted with their consumer and
  // member.
  {
    number: 3,
    name: 'OAuth methods and tokens',
    statements: [
      sql`alter table consumer add column title text not null default ''`,
      // PEM, for RSA-SHA1 only; the sealed secret is empty then.
      sql`alter table consumer add column public_key text`,
      sql`alter table consumer add column require_body_hash integer not null default 0`,
      sql`create index consumer_of_member on consumer (member_id)`,
      sql`create table request_token (
        token text primary key, consumer_key text not null references consumer (key) on delete cascade,
        flow text not null, sealed_secret text not null, callback text not null,
        member_id text references member (id) on delete cascade, verifier_digest text,
        wrong_verifiers integer not null default 0, used_by text, expires_at_ms bigint not null
      )`,
      sql`create index request_token_by_expiry on request_token (expires_at_ms)`,
      sql`create index request_token_of_consumer on request_token (consumer_key)`,
      sql`create index request_token_of_member on request_token (member_id)`,
      sql`create table access_token (
        token text primary key, consumer_key text not null references consumer (key) on delete cascade,
        member_id text not null references member (id) on delete cascade, flow text not null,
        sealed_secret text not null, created_at_ms bigint not null, unique (consumer_key, member_id, flow)
      )`,
      sql`create index access_token_of_member on access_token (member_id, created_at_ms)`,
    ],
  },
  // Passwords, sessions and sign-in attempts. A session is found by the digest of its cookie.
  {
    number: 4,
    name: 'sign-in',
    statements: [
      sql`create table member_password (
        member_id text primary key references member (id) on delete cascade, hash text not null, changed_at_ms bigint not null
      )`,
      sql`create table member_session (
        digest text primary key, member_id text not null references member (id) on delete cascade,
        created_at_ms bigint not null, expires_at_ms bigint not null
      )`,
      sql`create index member_session_of_member on member_session (member_id)`,
      sql`create index member_session_by_expiry on member_session (expires_at_ms)`,
      sql`create table sign_in_limit (subject text primary key, attempts integer not null, resets_at_ms bigint not null)`,
      sql`create index sign_in_limit_by_reset on sign_in_limit (resets_at_ms)`,
    ],
  },
  // Tables for worlds of millions. One index alone finds a friendship's two rows, and an import
  // into an empty site can create it last; each member has a row, so one reference per row covers
  // both. Every reference to members has an index by member, so that one can be deleted without
  // scanning tables.
  {
    number: 5,
    name: 'large worlds',
    statements: [
      sql`alter table friendship rename to friendship_before`,
      sql`drop index friendship_in_order`,
      sql`create table friendship (
        member_id text not null references member (id), friend_id text not null, check (member_id <> friend_id)
      )`,
      sql`create unique index friendship_in_order on friendship (member_id, length(friend_id), friend_id)`,
      sql`insert into friendship (member_id, friend_id) select member_id, friend_id from friendship_before`,
      sql`drop table friendship_before`,
      sql`create index block_by_blocker on block (blocker_id)`,
      sql`create index last_post_of_member on last_post (member_id)`,
      sql`create index media_file_by_name on media_file (file)`,
      // The import in progress or interrupted; next_offset and next_line say where to resume.
      sql`create table unfinished_import (
        one integer primary key check (one = 1), file text not null, fingerprint text not null,
        indexes_last integer not null, next_offset bigint not null, next_line bigint not null, records bigint not null
      )`,
    ],
  },
  // Covers streams: the app decides who sees an activity (docs/decisions/0010-streams.md).
  {
    number: 8,
    name: 'friends’ streams',
    statements: [
      sql`drop index activity_newest`,
      sql`create index activity_newest on activity (member_id, posted_at_s desc, length(id) desc, id desc, app_id)`,
    ],
  },
  // Change log in order, for open pages (docs/decisions/0020-events.md).
  { number: 9, name: 'events', statements: [siteChanges.create] },
  // Posts by `Idempotency-Key`, for retries (docs/decisions/0021-writes-happen-once.md).
  {
    number: 10,
    name: 'keyed posts',
    statements: [
      sql`create table keyed_post (
        member_id text not null references member (id) on delete cascade,
        poster text not null,
        post_key text not null,
        digest text not null,
        activity_id text not null,
        posted_at_ms bigint not null,
        primary key (member_id, poster, post_key)
      )`,
      sql`create index keyed_post_oldest on keyed_post (posted_at_ms)`,
    ],
  },
  // Origin and end of each install (docs/decisions/0033-having-an-app.md).
  //
  // `granted` limits the app's own key: permissions separated by spaces; null if the site gave the
  // app. `ended_by` is 0 for not removed, 1 for the site, 2 for the member: only the site's own
  // records undo a member's removal. `changed_at_ms` is the member's last decision, 0 if unknown.
  {
    number: 11,
    name: 'having an app',
    statements: [
      sql`alter table member_app add column granted text`,
      sql`alter table member_app add column ended_by integer not null default 0`,
      sql`alter table member_app add column changed_at_ms bigint not null default 0`,
      sql`update member_app set ended_by = 1 where installed = 0`,
      sql`create index member_app_of_app on member_app (app_id)`,
    ],
  },
  // Number of keys that a member has in an app, bounded by a check like their bytes: 1,000, or as
  // many as a member had before the bound existed.
  //
  // Names and addresses of members are shortened to the length that records allow. Every list of
  // people shows them, where checking each would cost too much; other texts are bounded when they
  // are read.
  {
    number: 13,
    name: 'bounds of texts and AppData',
    statements: [
      sql`update member set display_name = substr(display_name, 1, 1000) where octet_length(display_name) > 4000`,
      sql`update member set region = substr(region, 1, 1000) where octet_length(region) > 4000`,
      sql`update member set language = substr(language, 1, 1000) where octet_length(language) > 4000`,
      sql`update member set thumbnail_url = ''
        where octet_length(thumbnail_url) > 8000 or (octet_length(thumbnail_url) > 2000 and length(thumbnail_url) > 2000)`,
      sql`alter table member_app add column app_data_keys integer not null default 0`,
      sql`alter table member_app add column app_data_keys_most integer not null default 1000
        check (app_data_keys <= app_data_keys_most)`,
      sql`update member_app set (app_data_keys, app_data_keys_most) = (
          select count(*), case when count(*) > 1000 then count(*) else 1000 end from app_data
          where app_data.member_id = member_app.member_id and app_data.app_id = member_app.app_id
        ) where app_data_bytes > 0`,
    ],
  },
  // Last introduction of each member by the site's own tokens
  // (docs/decisions/0038-members-by-token.md). A removed member keeps a row with an empty digest
  // for a while, so that an older token does not restore them; hence no foreign key.
  {
    number: 14,
    name: 'introductions',
    statements: [
      sql`create table introduction (member_id text primary key, said_at_s bigint not null, digest text not null)`,
      sql`create index introduction_of_removed on introduction (said_at_s) where digest = ''`,
    ],
  },
  // Last removal of each id, which tells later members with it from the earlier ones
  // (docs/decisions/0076-who-is-no-member-is-nobody.md). Rows outlive members, as versions do.
  {
    number: 15,
    name: 'removed members',
    statements: [sql`create table removed_member (member_id text primary key, removed_at_ms bigint not null)`],
  },
  // Bearer keys for members, by digest (docs/decisions/0082-a-bearer-key-for-members.md).
  {
    number: 16,
    name: 'keys for members',
    statements: [
      sql`create table member_key (
        id text primary key, digest text not null, title text not null, created_at_ms bigint not null
      )`,
    ],
  },
  // Albums and their items are counted in indexes alone, and posts without an app are in one index
  // less (docs/decisions/0101-fewer-seeks.md).
  {
    number: 17,
    name: 'indexes that cover',
    oldest: 16,
    statements: [
      sql`drop index album_in_order`,
      sql`create index album_in_order on album (member_id, length(id), id, level)`,
      sql`drop index media_item_in_order`,
      sql`create index media_item_in_order on media_item (album_id, length(id), id, level)`,
      sql`drop index activity_newest_of_app`,
      sql`create index activity_newest_of_app on activity
        (member_id, app_id, posted_at_s desc, length(id) desc, id desc) where app_id is not null`,
    ],
  },
];

/** Migrations of the nonces, which have a file of their own (docs/decisions/0004-nonces.md). */
export const nonceMigrations: readonly Migration[] = [
  {
    number: 1,
    name: 'nonces',
    statements: [
      sql`create table nonce (timestamp_s bigint not null, digest text not null, primary key (timestamp_s, digest))`,
      sql`create table boot (one integer primary key check (one = 1), id text not null, refuse_before_s bigint not null)`,
    ],
  },
];
