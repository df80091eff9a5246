import { type Migration, sql } from '@gantry/store';

/**
 * Levels are indexes into `levels`: 0 site, 1 friends, 2 private. A friendship is two rows, so that
 * every list of friends is one range of one index. Ids are ordered by length, then code point, as
 * in the indexes.
 */
export const members: Migration = {
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
};
