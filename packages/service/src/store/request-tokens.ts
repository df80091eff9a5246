import { type Database, type Statement, sql } from '@gantry/store';
import type { ConsumerKind } from './consumers.ts';

/** For whom a token is asked: a member for themselves, or an administrator for any member. */
export type Flow = 'member' | 'admin';

/** Milliseconds in which a request token has to be allowed and exchanged (contract §5). */
const lifetimeMs = 60 * 60 * 1000;
/** Request tokens of one consumer that wait for a member's answer (contract §8, bounds). */
const mostWaiting = 100;
// SQLite knows no offset without a limit.
const mostCounted = 1_000_000;
/** A request token dies at this many wrong verifiers (contract §5). */
const maxWrongVerifiers = 5;

export interface NewRequestToken {
  readonly token: string;
  readonly sealedSecret: string;
  readonly consumerKey: string;
  readonly flow: Flow;
  readonly callback: string;
}

/**
 * Stores a request token and forgets those whose hour is over, and the oldest of a consumer that has too many. Tokens that
 * a member allowed are not among those: only members add to them.
 */
export async function addRequestToken(db: Database, request: NewRequestToken & { readonly nowMs: number }) {
  const { token, sealedSecret, consumerKey, flow, callback, nowMs } = request;
  await db.batch([
    sql`update consumer set title = title where key = ${consumerKey}`, // one at a time, so that no two count alike
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

/** A token that waits for an answer: nobody allowed it yet, and it neither ran out nor died. */
function waiting({ token, flow, nowMs }: TokenInFlow): Statement {
  return sql`token = ${token} and flow = ${flow} and request_token.member_id is null and wrong_verifiers < ${maxWrongVerifiers}
    and expires_at_ms > ${nowMs}`;
}

/** A consumer of an app has no 3-legged requests, and only one of an administrator has the flow `admin`. */
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

/** Allows a waiting token, once, for a member who exists and, in the flow `admin`, is an administrator. Answers its callback. */
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

/** Forgets a waiting token. Answers its callback. */
export async function denyWaiting(db: Database, wanted: TokenInFlow): Promise<string | undefined> {
  const [row] = await db.query<{ callback: string }>(sql`
    delete from request_token where ${waiting(wanted)} returning callback`);
  return row?.callback;
}

export interface Exchange extends TokenInFlow {
  readonly consumerKey: string;
  readonly verifierDigest: string;
  readonly accessToken: string;
  readonly sealedSecret: string;
}

/**
 * Turns an allowed request token into an access token, which replaces the consumer's earlier one for that member and flow.
 * The first statement claims the token or counts the wrong verifier, at once and by itself: of any number of processes one
 * wins, and no sixth verifier is ever compared.
 *
 * @returns `void` for a token that is used, dead or over; nothing was changed then.
 */
export async function exchangeToken(
  db: Database,
  exchange: Exchange,
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
