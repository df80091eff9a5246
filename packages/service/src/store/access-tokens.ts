import { type Database, sql } from '@gantry/store';
import type { ConsumerKind } from './consumer-kind.ts';
import type { Flow } from './request-tokens.ts';

export interface AccessTokenRow {
  readonly consumer_key: string;
  readonly title: string;
  readonly kind: ConsumerKind;
  readonly flow: Flow;
  readonly created_at_ms: number;
}

/** Returns the access tokens that a member granted, newest first. */
export async function accessTokensOf(db: Database, memberId: string): Promise<readonly AccessTokenRow[]> {
  return db.query<AccessTokenRow>(sql`
    select consumer_key, title, kind, flow, access_token.created_at_ms
    from access_token join consumer on consumer.key = consumer_key where access_token.member_id = ${memberId}
    order by access_token.created_at_ms desc, consumer_key, flow`);
}

/** Deletes a member's grant: the access token, and a request token that could become one. */
export async function dropAccess(
  db: Database,
  { memberId, consumerKey, flow }: { readonly memberId: string; readonly consumerKey: string; readonly flow: Flow },
): Promise<boolean> {
  const dropped = await db.batch([
    sql`
      delete from request_token where member_id = ${memberId} and consumer_key = ${consumerKey} and flow = ${flow}
      returning token`,
    sql`
      delete from access_token where consumer_key = ${consumerKey} and member_id = ${memberId} and flow = ${flow}
      returning token`,
  ]);
  return dropped.some((rows) => rows.length > 0);
}
