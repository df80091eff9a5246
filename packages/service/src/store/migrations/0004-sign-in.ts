import { type Migration, sql } from '@gantry/store';

/** Passwords, sessions and sign-in attempts. A session is found by the digest of its cookie. */
export const signIn: Migration = {
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
};
