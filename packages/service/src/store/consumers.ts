import { type Database, type Statement, sql } from '@gantry/store';

export type ConsumerKind = 'app' | 'member' | 'admin';

/** A consumer and what it may do for one requestor: all that a 2-legged request needs, in one statement. */
export interface ConsumerRow {
  readonly kind: ConsumerKind;
  readonly sealed_secret: string;
  readonly member_id: string | null;
  readonly app_id: string | null;
  readonly container: number;
  readonly any_member: number;
  /** 0 for an inactive app, null for a key of no app. */
  readonly app_active: number | null;
  readonly requestor_exists: number;
  readonly requestor_has_app: number;
}

export async function findConsumer(
  db: Database,
  { key, requestorId }: { readonly key: string; readonly requestorId: string },
): Promise<ConsumerRow | undefined> {
  const [row] = await db.query<ConsumerRow>(sql`
    select kind, sealed_secret, consumer.member_id, consumer.app_id, container, any_member, app.active as app_active,
      case when exists (select 1 from member where id = ${requestorId}) then 1 else 0 end as requestor_exists,
      coalesce((select installed from member_app
        where member_app.member_id = ${requestorId} and member_app.app_id = consumer.app_id), 0) as requestor_has_app
    from consumer left join app on app.id = consumer.app_id where key = ${key}`);
  return row;
}

export interface NewConsumer {
  readonly key: string;
  readonly kind: ConsumerKind;
  readonly title: string;
  readonly sealedSecret: string;
  readonly memberId: string | undefined;
  readonly appId: string | undefined;
  readonly container: boolean;
  readonly anyMember: boolean;
  readonly createdAtMs: number;
}

/** Stores a consumer; one with the same key is replaced. */
export function consumerWrite(consumer: NewConsumer): Statement {
  const { key, kind, title, sealedSecret, memberId, appId, container, anyMember, createdAtMs } = consumer;
  return sql`
    insert into consumer (key, kind, title, method, sealed_secret, member_id, app_id, container, any_member, created_at_ms)
    values (${key}, ${kind}, ${title}, ${'HMAC-SHA1'}, ${sealedSecret}, ${memberId ?? null}, ${appId ?? null}, ${Number(container)},
      ${Number(anyMember)}, ${createdAtMs})
    on conflict (key) do update set kind = excluded.kind, title = excluded.title, method = excluded.method, sealed_secret = excluded.sealed_secret,
      member_id = excluded.member_id, app_id = excluded.app_id, container = excluded.container,
      any_member = excluded.any_member`;
}
