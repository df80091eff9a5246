import { type Database, type Statement, sql } from '@gantry/store';
import type { ConsumerKind } from './consumer-kind.ts';

/** Scope of a token: a member's own data, or any member's for an administrator. */
export type Flow = 'member' | 'admin';

/** Lifetime of a request token (contract §5). */
const lifetimeMs = 60 * 60 * 1000;
/** Most request tokens of one consumer that await a decision (contract §8, bounds). */
const mostWaiting = 100;
// SQLite has no offset without a limit.
const mostCounted = 1_000_000;
/** Wrong verifiers that void a request token (contract §5). */
const maxWrongVerifiers = 5;

export interface NewRequestToken {
  readonly token: string;
  readonly sealedSecret: string;
  readonly consumerKey: string;
  readonly flow: Flow;
  readonly callback: string;
}

/**
 * Stores a request token. Deletes expired ones and the oldest of a consumer with too many, except
 * those that a member approved: only members add to them.
 */
export async function addRequestToken(db: Database, request: NewRequestToken & { readonly nowMs: number }) {
  const { token, sealedSecret, consumerKey, flow, callback, nowMs } = request;
  await db.batch([
    sql`update consumer set title = title where key = ${consumerKey}`, // locks the consumer, so that counts are exact
    sql`delete from request_token where expires_at_ms <= ${nowMs}`,
    sql`
      delete from request_token where token in (
        select token from request_token where consumer_key = ${consumerKey} and member_id is null
        order by expires_at_ms desc, token limit ${mostCounted} offset ${mostWaiting - 1}
      )`,
    sql`
      insert into request_token (token, consumer_key, flow, sealed_secret, callback, expires_at_ms)
      values (${token}, ${consumerKey}, ${flow}, ${sealedSecret}, ${callback}, ${nowMs + lifetimeMs})`,
  ]);
}

export interface TokenInFlow {
  readonly token: string;
  readonly flow: Flow;
  readonly nowMs: number;
}

/** Condition for a token that awaits a decision: not approved, expired or void. */
function waiting({ token, flow, nowMs }: TokenInFlow): Statement {
  return sql`token = ${token} and flow = ${flow} and request_token.member_id is null and wrong_verifiers < ${maxWrongVerifiers}
    and expires_at_ms > ${nowMs}`;
}

/** Condition for the flow's consumers: no app's, and for `admin` only administrators'. */
function fitsConsumer(flow: Flow): Statement {
  const kinds = flow === 'admin' ? sql`kind = 'admin'` : sql`kind in ('member', 'admin')`;
  return sql`exists (select 1 from consumer where consumer.key = request_token.consumer_key and ${kinds})`;
}

export interface WaitingRow {
  readonly consumer_key: string;
  readonly callback: string;
  readonly title: string;
  readonly kind: Exclude<ConsumerKind, 'app'>;
}

export async function findWaiting(db: Database, wanted: TokenInFlow): Promise<WaitingRow | undefined> {
  const [row] = await db.query<WaitingRow>(sql`
    select consumer_key, callback, title, kind from request_token join consumer on consumer.key = consumer_key
    where ${waiting(wanted)} and ${fitsConsumer(wanted.flow)}`);
  return row;
}

/** Approves a pending token once; for `admin` an administrator must. @returns Its callback. */
export async function allowWaiting(
  db: Database,
  wanted: TokenInFlow & { readonly memberId: string; readonly verifierDigest: string },
): Promise<string | undefined> {
  const { memberId, verifierDigest, flow } = wanted;
  const mayAllow = flow === 'admin' ? sql`and admin = 1` : sql.empty;
  const [row] = await db.query<{ callback: string }>(sql`
    update request_token set member_id = ${memberId}, verifier_digest = ${verifierDigest}
    where ${waiting(wanted)} and ${fitsConsumer(flow)}
      and exists (select 1 from member where id = ${memberId} ${mayAllow})
    returning callback`);
  return row?.callback;
}

/** Deletes a pending token. @returns Its callback. */
export async function denyWaiting(db: Database, wanted: TokenInFlow): Promise<string | undefined> {
  const [row] = await db.query<{ callback: string }>(sql`
    delete from request_token where ${waiting(wanted)} returning callback`);
  return row?.callback;
}

export interface TokenExchange extends TokenInFlow {
  readonly consumerKey: string;
  readonly verifierDigest: string;
  readonly accessToken: string;
  readonly sealedSecret: string;
}

/**
 * Exchanges an approved request token for an access token, which replaces the consumer's earlier
 * one for that member and flow. The first statement atomically claims the token or counts the wrong
 * verifier: among any number of processes one succeeds, and no sixth verifier is ever compared.
 *
 * @returns `void` for a token that is used, void or expired; nothing is changed.
 */
export async function exchangeToken(
  db: Database,
  exchange: TokenExchange,
): Promise<'exchanged' | 'wrong verifier' | 'void'> {
  const { token, flow, consumerKey, verifierDigest, accessToken, sealedSecret, nowMs } = exchange;
  const [claims = []] = await db.batch([
    sql`
      update request_token set used_by = case when verifier_digest = ${verifierDigest} then ${accessToken} else null end,
        wrong_verifiers = wrong_verifiers + case when verifier_digest = ${verifierDigest} then 0 else 1 end
      where token = ${token} and flow = ${flow} and consumer_key = ${consumerKey} and used_by is null
        and wrong_verifiers < ${maxWrongVerifiers} and expires_at_ms > ${nowMs}
      returning used_by`,
    sql`
      insert into access_token (token, consumer_key, member_id, flow, sealed_secret, created_at_ms)
      select ${accessToken}, consumer_key, member_id, flow, ${sealedSecret}, ${nowMs} from request_token
      where token = ${token} and used_by = ${accessToken}
      on conflict (consumer_key, member_id, flow) do update set token = excluded.token,
        sealed_secret = excluded.sealed_secret, created_at_ms = excluded.created_at_ms`,
    sql`
      delete from request_token
      where token = ${token} and (used_by = ${accessToken} or wrong_verifiers >= ${maxWrongVerifiers})`,
  ]);
  const [claim] = claims;
  if (!claim) return 'void';
  return claim.used_by === accessToken ? 'exchanged' : 'wrong verifier';
}
