import {
  bodyHash,
  isTimely,
  OAuthError,
  type OAuthProblem,
  parseForm,
  parseOAuth,
  type Target,
  verifySignature,
} from '@gantry/oauth';
import { type Database, unseal } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import type { Requester } from './authorize.ts';
import type { Incoming } from './exchange.ts';
import type { Nonces } from './nonces.ts';
import { type ConsumerRow, findConsumer } from './store/consumers.ts';

/** Who asks: a member through a consumer. */
export interface Authenticated extends Requester {
  readonly consumerKey: string;
  /** Whether the key is the site's own, behind which every member's gadgets ask. */
  readonly isContainer: boolean;
}

export interface SignedRequest {
  readonly method: string;
  /** `scheme://host[:port]` that the client signed. */
  readonly origin: string;
  readonly target: Target;
  readonly header: Incoming['header'];
  readonly body: Uint8Array | undefined;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly nonces: Nonces;
  /** Opens consumer secrets. */
  readonly secretKey: Uint8Array;
  readonly now: () => number;
}

/**
 * Makes the function that verifies 2-legged OAuth 1.0a (contract §5). Which of consumer, token and signature was wrong does
 * not show in answer or time: an unknown consumer costs the same statement and the same HMAC.
 *
 * @throws OAuthError from the function that it makes.
 */
export function createAuthenticator({ db, nonces, secretKey, now }: AuthenticatorOptions) {
  const secrets = new LRUCache<string, string>({ max: 1_000 });

  function secretOf(key: string, sealed: string): string {
    const known = secrets.get(sealed);
    if (known !== undefined) return known;
    const secret = unseal(secretKey, sealed, `consumer/${key}`);
    secrets.set(sealed, secret);
    return secret;
  }

  return async function authenticate({ method, origin, target, header, body }: SignedRequest): Promise<Authenticated> {
    const authorization = header('authorization');
    const request = parseOAuth({
      method,
      origin,
      target,
      authorization: authorization === undefined ? [] : [authorization],
      form:
        isForm(header('content-type')) && body !== undefined
          ? parseForm(Buffer.from(body).toString('utf8'))
          : undefined,
    });
    const { consumerKey, token, timestamp, nonce, requestorId = '' } = request;
    const consumer = await findConsumer(db, { key: consumerKey, requestorId });
    const key = consumer && { method: 'HMAC-SHA1' as const, secret: secretOf(consumerKey, consumer.sealed_secret) };
    const verified = verifySignature(request, key);
    // There are no tokens yet: one that is named is wrong, and with a key that can have none it is refused further down.
    if (!verified || (token !== '' && consumer?.kind !== 'app')) throw refused('signature_invalid');
    if (request.bodyHash !== undefined && request.bodyHash !== bodyHash('HMAC-SHA1', body ?? '')) {
      throw refused('signature_invalid');
    }
    if (!isTimely(timestamp, now())) throw refused('timestamp_refused');
    const verdict = await nonces.consume({ consumerKey, token, timestamp, nonce });
    if (verdict !== 'fresh') throw refused(verdict === 'used' ? 'nonce_used' : 'timestamp_refused');
    if (!consumer || token !== '' || !maySpeakFor(consumer, requestorId)) throw refused('permission_denied');
    return {
      consumerKey,
      isContainer: consumer.container === 1,
      memberId: requestorId,
      appId: consumer.app_id ?? undefined,
      hasApp: consumer.requestor_has_app === 1,
    };
  };
}

/** The table of consumer kinds in the contract's §5, for 2-legged requests. */
function maySpeakFor(consumer: ConsumerRow, requestorId: string): boolean {
  if (consumer.requestor_exists === 0) return false;
  switch (consumer.kind) {
    case 'member':
      return consumer.member_id === requestorId;
    case 'admin':
      return consumer.any_member === 1;
    case 'app':
      return consumer.app_active === 1 && (consumer.container === 1 || consumer.requestor_has_app === 1);
  }
}

function isForm(contentType = ''): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType);
}

const messages = {
  signature_invalid: 'The consumer key, the token or the signature is not right.',
  timestamp_refused: 'oauth_timestamp is too far from the time of this server.',
  nonce_used: 'This nonce was used before: sign each request with a fresh one.',
  permission_denied: 'xoauth_requestor_id must name a member for whom this key may speak.',
} as const satisfies Partial<Record<OAuthProblem, string>>;

function refused(problem: keyof typeof messages): OAuthError {
  return new OAuthError(401, problem, messages[problem]);
}
