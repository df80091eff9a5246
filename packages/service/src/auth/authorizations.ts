import type { Database } from '@gantry/store';
import { accessTokensOf, dropAccess } from '../store/access-tokens.ts';
import type { ConsumerKind } from '../store/consumer-kind.ts';
import { allowWaiting, denyWaiting, type Flow, findWaiting, type TokenInFlow } from '../store/request-tokens.ts';
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
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * const wanted = { token: 'unknown', flow: 'member', nowMs: Date.now() };
 * await pendingAuthorization(db, wanted); // undefined
 * await db.close();
 * @returns `undefined` for a token that is unknown, decided, expired or of the other flow.
 */
export async function pendingAuthorization(db: Database, wanted: TokenInFlow): Promise<Pending | undefined> {
  const row = await findWaiting(db, wanted);
  if (!row) return undefined;
  const { consumer_key: consumerKey, title, kind, callback } = row;
  return { token: wanted.token, consumerKey, title: title || consumerKey, kind, flow: wanted.flow, callback };
}

export interface Consent extends TokenInFlow {
  readonly memberId: string;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Approves a pending request token, once. In the flow `admin` only an administrator can.
 *
 * @example
 * import { randomBytes } from 'node:crypto';
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * const request = { token: 'unknown', flow: 'member', nowMs: Date.now() };
 * await allowAuthorization(db, { ...request, memberId: '1', random: randomBytes }); // undefined
 * await db.close();
 * @returns The URL to redirect to or the verifier to show; `undefined` if nothing was pending.
 */
export async function allowAuthorization(
  db: Database,
  { random, ...consent }: Consent,
): Promise<{ readonly redirect: string } | { readonly verifier: string } | undefined> {
  const verifier = newVerifier(random);
  const callback = await allowWaiting(db, { ...consent, verifierDigest: verifierDigest(consent.token, verifier) });
  if (callback === undefined) return undefined;
  if (callback === outOfBand) return { verifier };
  return { redirect: callbackWith(callback, { oauth_token: consent.token, oauth_verifier: verifier }) };
}

/**
 * Denies a pending request token and deletes it.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * const request = { token: 'unknown', flow: 'member', nowMs: Date.now() };
 * await denyAuthorization(db, request); // undefined
 * await db.close();
 * @returns The URL to redirect to, `denied` without a callback, `undefined` if nothing was pending.
 */
export async function denyAuthorization(
  db: Database,
  wanted: TokenInFlow,
): Promise<{ readonly redirect: string } | 'denied' | undefined> {
  const callback = await denyWaiting(db, wanted);
  if (callback === undefined || callback === outOfBand) return callback && 'denied';
  return { redirect: callbackWith(callback, { oauth_token: wanted.token, oauth_problem: 'permission_denied' }) };
}

/**
 * Returns the authorizations that a member granted, newest first.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * await listAuthorizations(db, '1'); // []
 * await db.close();
 */
export async function listAuthorizations(db: Database, memberId: string): Promise<readonly Authorization[]> {
  return (await accessTokensOf(db, memberId)).map((row) => ({
    consumerKey: row.consumer_key,
    title: row.title || row.consumer_key,
    kind: row.kind,
    flow: row.flow,
    createdAtMs: Number(row.created_at_ms),
  }));
}

/**
 * Revokes an authorization: its token is refused from now on.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * await revokeAuthorization(db, { memberId: '1', consumerKey: 'k', flow: 'member' }); // false
 * await db.close();
 * @returns False if there was none.
 */
export function revokeAuthorization(
  db: Database,
  authorization: { readonly memberId: string; readonly consumerKey: string; readonly flow: Flow },
): Promise<boolean> {
  return dropAccess(db, authorization);
}
