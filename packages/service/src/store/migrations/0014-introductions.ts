import { type Migration, sql } from '@gantry/store';

/**
 * The last that the site's own tokens said of a member (docs/decisions/0038-members-by-token.md). A removed member leaves a row
 * with an empty digest for a while, so that a token from before does not bring them back; hence no foreign key.
 */
export const introductions: Migration = {
  number: 14,
  name: 'introductions',
  statements: [
    sql`create table introduction (member_id text primary key, said_at_s bigint not null, digest text not null)`,
    sql`create index introduction_of_removed on introduction (said_at_s) where digest = ''`,
  ],
};
