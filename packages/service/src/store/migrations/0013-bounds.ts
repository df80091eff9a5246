import { type Migration, sql } from '@gantry/store';

/**
 * Number of keys that a member has in an app, bounded by a check like their bytes: 1,000, or as
 * many as a member had before the bound existed.
 *
 * Names and addresses of members are shortened to the length that records allow. Every list of
 * people shows them, where checking each would cost too much; other texts are bounded when they are
 * read.
 */
export const bounds: Migration = {
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
};
