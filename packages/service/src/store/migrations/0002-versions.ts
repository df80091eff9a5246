import { type Migration, sql } from '@gantry/store';

/** Versions for validators (docs/decisions/0007-validators.md). No row means version 0. */
export const versions: Migration = {
  number: 2,
  name: 'versions',
  statements: [
    sql`create table site_version (one integer primary key check (one = 1), epoch text not null)`,
    sql`create table member_version (
      member_id text not null, topic text not null, n bigint not null, primary key (member_id, topic)
    )`,
  ],
};
