import { type Migration, sql } from '@gantry/store';

export const appRegistrations: Migration = {
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
};
