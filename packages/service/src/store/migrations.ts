import { type Migration, sql } from '@gantry/store';
import { members } from './migrations/0001-members.ts';
import { versions } from './migrations/0002-versions.ts';
import { oauth } from './migrations/0003-oauth.ts';
import { signIn } from './migrations/0004-sign-in.ts';
import { worlds } from './migrations/0005-worlds.ts';
import { streams } from './migrations/0008-streams.ts';
import { events } from './migrations/0009-events.ts';
import { keyedPosts } from './migrations/0010-keyed-posts.ts';
import { having } from './migrations/0011-having.ts';
import { bounds } from './migrations/0013-bounds.ts';
import { introductions } from './migrations/0014-introductions.ts';

/** Migrations of the service's tables. */
export const serviceMigrations: readonly Migration[] = [
  ...[members, versions, oauth, signIn, worlds, streams, events, keyedPosts, having, bounds, introductions],
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
