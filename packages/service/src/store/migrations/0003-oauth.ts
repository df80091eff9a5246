import { type Migration, sql } from '@gantry/store';

/**
 * Signature methods and tokens of OAuth (contract §5). A request token can be used once, claimed by
 * `used_by`; its verifier is stored as a digest. Tokens are deleted with their consumer and member.
 */
export const oauth: Migration = {
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
};
