import type { Database } from '@gantry/store';
import { callbackWith, outOfBand } from './callback-url.ts';
import { accessTokensOf, dropAccess } from './store/access-tokens.ts';
import type { ConsumerKind } from './store/consumers.ts';
import { allowWaiting, denyWaiting, type Flow, findWaiting, type TokenInFlow } from './store/request-tokens.ts';
import { newVerifier, verifierDigest } from './tokens.ts';

/** A request token that waits for a member's answer. */
export interface Pending {
  readonly token: string;
  readonly consumerKey: string;
  /** What its owner calls the consumer; its key, if they called it nothing. Text of theirs, not to be trusted. */
  readonly title: string;
  readonly kind: Exclude<ConsumerKind, 'app'>;
  readonly flow: Flow;
  /** Where the answer goes: an absolute http(s) URL, or `oob` for a verifier that the member copies. */
  readonly callback: string;
}

/** What a member allowed a consumer to do. */
export interface Authorization {
  readonly consumerKey: string;
  /** As in `Pending`. */
  readonly title: string;
  readonly kind: ConsumerKind;
  readonly flow: Flow;
  readonly createdAtMs: number;
}

/** Finds what a consent page asks about. `undefined` for a token that is unknown, answered, over, or of the other flow. */
export async function pendingAuthorization(db: Database, wanted: TokenInFlow): Promise<Pending | undefined> {
  const row = await findWaiting(db, wanted);
  if (!row) return undefined;
  const { consumer_key: consumerKey, title, kind, callback } = row;
  return { token: wanted.token, consumerKey, title: title || consumerKey, kind, flow: wanted.flow, callback };
}

export interface Consent extends TokenInFlow {
  /** The signed-in member who allows it. */
  readonly memberId: string;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Allows a waiting request token, once. In the flow `admin` only an administrator can.
 *
 * @returns Where to send the member, or the verifier to show them; `undefined` if there was nothing that they could allow.
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
 * Denies a waiting request token, which is void from then on.
 *
 * @returns Where to send the member, `denied` where nobody waits for the answer, `undefined` if there was no such token.
 */
export async function denyAuthorization(
  db: Database,
  wanted: TokenInFlow,
): Promise<{ readonly redirect: string } | 'denied' | undefined> {
  const callback = await denyWaiting(db, wanted);
  if (callback === undefined || callback === outOfBand) return callback && 'denied';
  return { redirect: callbackWith(callback, { oauth_token: wanted.token, oauth_problem: 'permission_denied' }) };
}

/** What a member authorized, newest first. */
export async function listAuthorizations(db: Database, memberId: string): Promise<readonly Authorization[]> {
  return (await accessTokensOf(db, memberId)).map((row) => ({
    consumerKey: row.consumer_key,
    title: row.title || row.consumer_key,
    kind: row.kind,
    flow: row.flow,
    createdAtMs: Number(row.created_at_ms),
  }));
}

/** Takes an authorization back: its token is refused from the next request on. @returns False if there was none. */
export function revokeAuthorization(
  db: Database,
  authorization: { readonly memberId: string; readonly consumerKey: string; readonly flow: Flow },
): Promise<boolean> {
  return dropAccess(db, authorization);
}
