import { type Database, type Statement, sql } from '@gantry/store';
import type { ConsumerKind } from '../store/consumers.ts';
import { type Flow, maxWrongVerifiers, type TokenInFlow } from '../store/request-tokens.ts';
import { callbackWith, outOfBand } from './callback-url.ts';
import { newVerifier, verifierDigest } from './tokens.ts';

/** Request token that awaits a member's decision. */
export interface Pending {
  readonly token: string;
  readonly consumerKey: string;
  /** Title that the consumer's owner chose, else the consumer's key. Untrusted text. */
  readonly title: string;
  readonly kind: Exclude<ConsumerKind, 'app'>;
  readonly flow: Flow;
  /** URL that receives the decision, or `oob` for a verifier that the member copies. */
  readonly callback: string;
}

/** Access that a member granted to a consumer. */
export interface Authorization {
  readonly consumerKey: string;
  readonly title: string;
  readonly kind: ConsumerKind;
  readonly flow: Flow;
  readonly createdAtMs: number;
}

/**
 * Finds the request that a consent page shows.
 *
 * @returns `undefined` for a token that is unknown, decided, expired or of the other flow.
 */
export async function pendingAuthorization(db: Database, target: TokenInFlow): Promise<Pending | undefined> {
  const [pending] = await db.query<Pending>(sql`
    select token, consumer_key as "consumerKey", ${titleOrKey} as title, kind, flow, callback
    from request_token join consumer on consumer.key = consumer_key
    where ${isWaiting(target)} and ${fitsConsumer(target.flow)}`);
  return pending;
}

const titleOrKey = sql`coalesce(nullif(title, ''), consumer_key)`;

/** Condition for a token that awaits a decision: not approved, expired or void. */
function isWaiting({ token, flow, nowMs }: TokenInFlow): Statement {
  return sql`token = ${token} and flow = ${flow} and request_token.member_id is null and wrong_verifiers < ${maxWrongVerifiers}
    and expires_at_ms > ${nowMs}`;
}

/** Condition for the flow's consumers: no app's, and for `admin` only administrators'. */
function fitsConsumer(flow: Flow): Statement {
  const kinds = flow === 'admin' ? sql`kind = 'admin'` : sql`kind in ('member', 'admin')`;
  return sql`exists (select 1 from consumer where consumer.key = request_token.consumer_key and ${kinds})`;
}

export interface Consent extends TokenInFlow {
  readonly memberId: string;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Approves a pending request token, once. In the flow `admin` only an administrator can.
 *
 * @returns The URL to redirect to or the verifier to show; `undefined` if nothing was pending.
 */
export async function allowAuthorization(
  db: Database,
  { random, memberId, ...target }: Consent,
): Promise<{ readonly redirect: string } | { readonly verifier: string } | undefined> {
  const verifier = newVerifier(random);
  const mayAllow = target.flow === 'admin' ? sql`and admin = 1` : sql.empty;
  const [allowed] = await db.query<{ callback: string }>(sql`
    update request_token set member_id = ${memberId}, verifier_digest = ${verifierDigest(target.token, verifier)}
    where ${isWaiting(target)} and ${fitsConsumer(target.flow)}
      and exists (select 1 from member where id = ${memberId} ${mayAllow})
    returning callback`);
  if (allowed === undefined) return undefined;
  if (allowed.callback === outOfBand) return { verifier };
  return { redirect: callbackWith(allowed.callback, { oauth_token: target.token, oauth_verifier: verifier }) };
}

/**
 * Denies a pending request token and deletes it.
 *
 * @returns The URL to redirect to, `denied` without a callback, `undefined` if nothing was pending.
 */
export async function denyAuthorization(
  db: Database,
  target: TokenInFlow,
): Promise<{ readonly redirect: string } | 'denied' | undefined> {
  const [denied] = await db.query<{ callback: string }>(sql`
    delete from request_token where ${isWaiting(target)} returning callback`);
  if (denied === undefined) return undefined;
  if (denied.callback === outOfBand) return 'denied';
  return { redirect: callbackWith(denied.callback, { oauth_token: target.token, oauth_problem: 'permission_denied' }) };
}

/** Returns the authorizations that a member granted, newest first. */
export function listAuthorizations(db: Database, memberId: string): Promise<readonly Authorization[]> {
  return db.query<Authorization>(sql`
    select consumer_key as "consumerKey", ${titleOrKey} as title, kind, flow, access_token.created_at_ms as "createdAtMs"
    from access_token join consumer on consumer.key = consumer_key where access_token.member_id = ${memberId}
    order by access_token.created_at_ms desc, consumer_key, flow`);
}

/**
 * Revokes an authorization: its token is refused from now on, and a request token that could
 * become one too.
 *
 * @returns False if there was none.
 */
export async function revokeAuthorization(
  db: Database,
  { memberId, consumerKey, flow }: { readonly memberId: string; readonly consumerKey: string; readonly flow: Flow },
): Promise<boolean> {
  const isIts = sql`member_id = ${memberId} and consumer_key = ${consumerKey} and flow = ${flow} returning token`;
  const revoked = await db.batch([
    sql`delete from request_token where ${isIts}`,
    sql`delete from access_token where ${isIts}`,
  ]);
  return revoked.some((rows) => rows.length > 0);
}
