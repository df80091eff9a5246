import { type Migration, sql } from '@gantry/store';

/**
 * How many keys a member has in an app, which a table's check bounds as it does their bytes: 1,000, and for those who had more
 * before there was a bound, as many as they have.
 */
export const appDataKeys: Migration = {
  number: 13,
  name: 'keys of AppData',
  statements: [
    sql`alter table member_app add column app_data_keys integer not null default 0`,
    sql`alter table member_app add column app_data_keys_most integer not null default 1000
      check (app_data_keys <= app_data_keys_most)`,
    sql`update member_app set (app_data_keys, app_data_keys_most) = (
        select count(*), case when count(*) > 1000 then count(*) else 1000 end from app_data
        where app_data.member_id = member_app.member_id and app_data.app_id = member_app.app_id
      ) where app_data_bytes > 0`,
  ],
};
