import {
  countInHeader,
  countPairs,
  isBodyHash,
  isTimely,
  OAuthError,
  type OAuthProblem,
  type OAuthRequest,
  parseForm,
  parseOAuth,
  type RsaPublicKey,
  readRsaPublicKey,
  refuseTooMany,
  type SignatureMethod,
  type Target,
  type VerificationKey,
  verifySignature,
} from '@gantry/oauth';
import { unseal } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import type { Incoming } from './exchange.ts';
import type { Nonces } from './nonces.ts';
import type { ConsumerKind } from './store/consumers.ts';

export interface SignedRequest {
  readonly method: string;
  /** `scheme://host[:port]` that the client signed. */
  readonly origin: string;
  readonly target: Target;
  readonly header: Incoming['header'];
  readonly body: Uint8Array | undefined;
}

/** What a database says about a consumer and its token: all that a signature is checked with. */
export interface Signatory {
  readonly kind: ConsumerKind;
  readonly method: SignatureMethod;
  readonly sealed_secret: string;
  /** PEM, for RSA-SHA1. */
  readonly public_key: string | null;
  readonly require_body_hash: number;
  /** Null or absent if the consumer has no such token. */
  readonly sealed_token_secret?: string | null;
}

/** What seals a secret to its place. Access tokens and request tokens are no substitutes for each other. */
export const sealContext = {
  consumer: (key: string) => `consumer/${key}`,
  access: (token: string) => `access-token/${token}`,
  request: (token: string) => `request-token/${token}`,
} as const;

export interface VerifierOptions {
  readonly nonces: Nonces;
  /** Opens the secrets of consumers and tokens. */
  readonly secretKey: Uint8Array;
  readonly now: () => number;
}

/**
 * Counts what a signature would cover before any of it is read: too much of it is a failure of the target (contract §4).
 *
 * @throws OAuthError 400
 */
export function refuseTooManyParameters({ header, body }: Pick<Incoming, 'header' | 'body'>, { query }: Target): void {
  const inForm = body !== undefined && isForm(header) ? countPairs(body) : 0;
  const inHeader = countInHeader(header('authorization') ?? '');
  refuseTooMany(query.length + inForm + inHeader);
}

/** Reads what a request says about its sender. @throws OAuthError @see RFC 5849 §3.5 */
export function readSigned({ method, origin, target, header, body }: SignedRequest): OAuthRequest {
  const authorization = header('authorization');
  return parseOAuth({
    method,
    origin,
    target,
    authorization: authorization === undefined ? [] : [authorization],
    form: isForm(header) && body !== undefined ? parseForm(Buffer.from(body).toString('utf8')) : undefined,
  });
}

/**
 * Makes the function that proves a request: signature, body hash, timestamp and nonce, in this order (contract §5). Which of
 * consumer, token and signature was wrong does not show in answer or time.
 *
 * @returns A function that throws OAuthError; with `undefined` for a consumer that does not exist it always does.
 */
export function createVerifier({ nonces, secretKey, now }: VerifierOptions) {
  const secrets = new LRUCache<string, string>({ max: 2_000 });
  const publicKeys = new LRUCache<string, RsaPublicKey>({ max: 500 });

  function secretOf(sealed: string, context: string): string {
    const known = secrets.get(sealed);
    if (known !== undefined) return known;
    const secret = unseal(secretKey, sealed, context);
    secrets.set(sealed, secret);
    return secret;
  }

  function publicKeyOf(pem: string): RsaPublicKey {
    const known = publicKeys.get(pem);
    if (known !== undefined) return known;
    const key = readRsaPublicKey(pem);
    publicKeys.set(pem, key);
    return key;
  }

  function keyOf({ consumerKey, token }: OAuthRequest, signatory: Signatory, tokenKind: TokenKind): VerificationKey {
    const { method, sealed_secret: sealed, public_key: pem, sealed_token_secret: sealedToken } = signatory;
    if (method === 'RSA-SHA1') return { method, publicKey: publicKeyOf(pem ?? '') };
    const tokenSecret = sealedToken == null ? undefined : secretOf(sealedToken, sealContext[tokenKind](token));
    return { method, secret: secretOf(sealed, sealContext.consumer(consumerKey)), tokenSecret };
  }

  return async function verify(
    { request, header, body }: Pick<SignedRequest, 'header' | 'body'> & { readonly request: OAuthRequest },
    signatory: Signatory | undefined,
    tokenKind: TokenKind,
  ): Promise<void> {
    const { consumerKey, token, signatureMethod, timestamp, nonce } = request;
    const isVerified = verifySignature(request, signatory && keyOf(request, signatory, tokenKind));
    // An app's consumer has no tokens at all: naming one is refused further down, as any other request for a wrong member.
    const isTokenKnown = token === '' || signatory?.sealed_token_secret != null || signatory?.kind === 'app';
    if (!signatory || !isVerified || !isTokenKnown) throw refused('signature_invalid');
    if (request.bodyHash !== undefined && !isBodyHash(request.bodyHash, signatureMethod, body ?? '')) {
      throw refused('signature_invalid');
    }
    if (signatory.require_body_hash === 1 && body !== undefined && request.bodyHash === undefined && !isForm(header)) {
      throw new OAuthError(400, 'parameter_absent', 'This key signs every body: send oauth_body_hash.');
    }
    if (!isTimely(timestamp, now())) throw refused('timestamp_refused');
    const verdict = await nonces.consume({ consumerKey, token, timestamp, nonce });
    if (verdict !== 'fresh') throw refused(verdict === 'used' ? 'nonce_used' : 'timestamp_refused');
  };
}

export type Verify = ReturnType<typeof createVerifier>;
export type TokenKind = 'access' | 'request';

function isForm(header: Incoming['header']): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(header('content-type') ?? '');
}

const messages = {
  signature_invalid: 'The consumer key, the token or the signature is not right.',
  timestamp_refused: 'oauth_timestamp is too far from the time of this server.',
  nonce_used: 'This nonce was used before: sign each request with a fresh one.',
  permission_denied: 'xoauth_requestor_id must name a member for whom this key may speak.',
} as const satisfies Partial<Record<OAuthProblem, string>>;

/** A request that proves nothing. */
export function refused(problem: keyof typeof messages, message: string = messages[problem]): OAuthError {
  return new OAuthError(401, problem, message);
}
