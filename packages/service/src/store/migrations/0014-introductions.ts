import { type Migration, sql } from '@gantry/store';

/**
 * Last introduction of each member by the site's own tokens
 * (docs/decisions/0038-members-by-token.md). A removed member keeps a row with an empty digest for
 * a while, so that an older token does not restore them; hence no foreign key.
 */
export const introductions: Migration = {
  number: 14,
  name: 'introductions',
  statements: [
    sql`create table introduction (member_id text primary key, said_at_s bigint not null, digest text not null)`,
    sql`create index introduction_of_removed on introduction (said_at_s) where digest = ''`,
  ],
};
