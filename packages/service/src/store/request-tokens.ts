import { type Database, deleteSomeExpired, sql } from '@gantry/store';

/** Scope of a token: a member's own data, or any member's for an administrator. */
export type Flow = 'member' | 'admin';

/** Lifetime of a request token (contract §5). */
const lifetimeMs = 60 * 60 * 1000;
/** Most request tokens of one consumer that await a decision (contract §8, bounds). */
const mostWaiting = 100;
/** Wrong verifiers that void a request token (contract §5). */
export const maxWrongVerifiers = 5;

const requestToken = { table: sql`request_token`, key: ['token'] };

export interface NewRequestToken {
  readonly token: string;
  readonly sealedSecret: string;
  readonly consumerKey: string;
  readonly flow: Flow;
  readonly callback: string;
}

/** Stores a request token. Deletes expired ones, and the oldest unapproved ones of too many. */
export async function addRequestToken(db: Database, request: NewRequestToken & { readonly nowMs: number }) {
  const { token, sealedSecret, consumerKey, flow, callback, nowMs } = request;
  const isWaiting = sql`consumer_key = ${consumerKey} and member_id is null`;
  await db.batch([
    sql`update consumer set title = title where key = ${consumerKey}`, // locks the consumer, so that counts are exact
    deleteSomeExpired({ ...requestToken, where: sql`expires_at_ms <= ${nowMs}` }),
    deleteSomeExpired({
      ...requestToken,
      where: sql`${isWaiting} and token not in (
        select token from request_token where ${isWaiting} order by expires_at_ms desc, token limit ${mostWaiting - 1})`,
    }),
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
