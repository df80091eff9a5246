import type { SignatureMethod } from '@gantry/oauth';
import { type Database, type Statement, sql } from '@gantry/store';
import type { Flow } from './request-tokens.ts';

/** Members that a key speaks for: those of its app, its owner, or any. */
export type ConsumerKind = 'app' | 'member' | 'admin';

/** Facts about a consumer and its token that verify a signature. */
export interface Signatory {
  readonly kind: ConsumerKind;
  readonly method: SignatureMethod;
  readonly sealed_secret: string;
  /** PEM, for RSA-SHA1. */
  readonly public_key: string | null;
  readonly require_body_hash: number;
  /** Null or absent if the consumer has no such token. */
  readonly sealed_token_secret?: string | null;
}

/** Consumer, its token and its rights for one requestor: all that a request needs, in one query. */
export interface ConsumerRow extends Signatory {
  readonly member_id: string | null;
  /** Null for a key without owner. */
  readonly owner_is_admin: number | null;
  readonly app_id: string | null;
  readonly container: number;
  readonly any_member: number;
  /** 0 for an inactive app, null for a key without app. */
  readonly app_active: number | null;
  readonly requestor_exists: number;
  readonly requestor_has_app: number;
  /**
   * Permissions that the requestor granted to the app, separated by spaces. Null where they are not
   * limited here: for a container, which limits its apps itself, and for an app that the site gave.
   */
  readonly requestor_granted: string | null;
  /** Null if the consumer lacks this token; absent without a token. */
  readonly token_flow?: Flow | null;
  readonly token_member_id?: string | null;
  readonly token_member_is_admin?: number | null;
}

export async function findConsumer(
  db: Database,
  { key, token, requestorId = '' }: { key: string; token: string; requestorId: string | undefined },
): Promise<ConsumerRow | undefined> {
  const columns =
    token === ''
      ? sql.empty
      : sql`, access_token.sealed_secret as sealed_token_secret, access_token.flow as token_flow,
        access_token.member_id as token_member_id,
        (select admin from member where id = access_token.member_id) as token_member_is_admin`;
  const tokens =
    token === ''
      ? sql.empty
      : sql`left join access_token on access_token.token = ${token} and access_token.consumer_key = consumer.key`;
  const [row] = await db.query<ConsumerRow>(
    sql.repeated(sql`
      select ${consumerColumns(requestorId)} ${columns}
      from consumer left join app on app.id = consumer.app_id ${tokens} where key = ${key}`),
  );
  return row;
}

/** Columns of a `ConsumerRow` without token, from `consumer` and `app`. */
export function consumerColumns(requestorId: string): Statement {
  return sql`kind, method, consumer.sealed_secret, public_key, require_body_hash, consumer.member_id, consumer.app_id,
      container, any_member, app.active as app_active,
      (select admin from member where id = consumer.member_id) as owner_is_admin,
      case when exists (select 1 from member where id = ${requestorId}) then 1 else 0 end as requestor_exists,
      coalesce((select installed from member_app
        where member_app.member_id = ${requestorId} and member_app.app_id = consumer.app_id), 0) as requestor_has_app,
      case when container = 0 then (select granted from member_app
        where member_app.member_id = ${requestorId} and member_app.app_id = consumer.app_id) end as requestor_granted`;
}

/** Finds a consumer for a token endpoint, with the request token of its own that it names. */
export async function findSignatory(
  db: Database,
  { key, token, flow }: { readonly key: string; readonly token: string; readonly flow: Flow },
): Promise<Signatory | undefined> {
  const [row] = await db.query<Signatory>(sql`
    select kind, method, consumer.sealed_secret, public_key, require_body_hash,
      request_token.sealed_secret as sealed_token_secret
    from consumer left join request_token
      on request_token.token = ${token} and request_token.consumer_key = consumer.key and request_token.flow = ${flow}
    where key = ${key}`);
  return row;
}
