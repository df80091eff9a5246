import type { SignatureMethod } from '@gantry/oauth';
import { type Database, type Statement, sql } from '@gantry/store';
import type { Signatory } from '../auth/verify-request.ts';
import type { ConsumerKind } from './consumer-kind.ts';
import type { Flow } from './request-tokens.ts';

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
  const [row] = await db.query<ConsumerRow>(sql`
    select ${consumerColumns(requestorId)} ${columns}
    from consumer left join app on app.id = consumer.app_id ${tokens} where key = ${key}`);
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

export interface NewConsumer {
  readonly key: string;
  readonly kind: ConsumerKind;
  readonly title: string;
  readonly method: SignatureMethod;
  /** Seals an empty secret for RSA-SHA1. */
  readonly sealedSecret: string;
  /** PEM, for RSA-SHA1. */
  readonly publicKey: string | undefined;
  readonly requireBodyHash: boolean;
  readonly memberId: string | undefined;
  readonly appId: string | undefined;
  readonly container: boolean;
  readonly anyMember: boolean;
  readonly createdAtMs: number;
}

/** Stores a consumer; replaces one with the same key. */
export function consumerWrite(consumer: NewConsumer): Statement {
  const { key, kind, title, method, sealedSecret, publicKey, requireBodyHash, memberId, appId, createdAtMs } = consumer;
  return sql`
    insert into consumer (key, kind, title, method, sealed_secret, public_key, require_body_hash, member_id, app_id,
      container, any_member, created_at_ms)
    values (${key}, ${kind}, ${title}, ${method}, ${sealedSecret}, ${publicKey ?? null}, ${Number(requireBodyHash)},
      ${memberId ?? null}, ${appId ?? null}, ${Number(consumer.container)}, ${Number(consumer.anyMember)}, ${createdAtMs})
    on conflict (key) do update set kind = excluded.kind, title = excluded.title, method = excluded.method,
      sealed_secret = excluded.sealed_secret, public_key = excluded.public_key,
      require_body_hash = excluded.require_body_hash, member_id = excluded.member_id, app_id = excluded.app_id,
      container = excluded.container, any_member = excluded.any_member`;
}
