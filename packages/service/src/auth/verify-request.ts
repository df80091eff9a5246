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
  type Target,
  type VerificationKey,
  verifySignature,
} from '@gantry/oauth';
import { unseal } from '@gantry/store';
import type { HttpRequest } from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { Signatory } from '../store/consumers.ts';
import type { Nonces } from './nonces.ts';

export interface SignedRequest extends Pick<HttpRequest, 'method' | 'header' | 'body'> {
  /** The `scheme://host[:port]` that the client signed. */
  readonly origin: string;
  readonly target: Target;
}

/** Binds a sealed secret to its use: an access token never passes for a request token. */
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

/** Counts a signature's parameters before any is read (contract §4). @throws OAuthError 400 */
export function refuseTooManyParameters(
  { header, body }: Pick<HttpRequest, 'header' | 'body'>,
  { query }: Target,
): void {
  const inForm = body !== undefined && isForm(header) ? countPairs(body) : 0;
  const inHeader = countInHeader(header('authorization') ?? '');
  refuseTooMany(query.length + inForm + inHeader);
}

/** Parses the OAuth parameters of a request. @throws OAuthError @see RFC 5849 §3.5 */
export function parseSignedRequest({ method, origin, target, header, body }: SignedRequest): OAuthRequest {
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
 * Creates the function that verifies signature, body hash, timestamp and nonce, in this order
 * (contract §5). Neither answer nor timing reveals which of consumer, token and signature was
 * wrong.
 *
 * @returns A function that throws OAuthError; for an unknown consumer (`undefined`) it always does.
 */
export function createVerifier({ nonces, secretKey, now }: VerifierOptions) {
  const secrets = new LRUCache<string, string, string>({
    max: 2_000,
    memoMethod: (sealed, _, { context }) => unseal(secretKey, sealed, context),
  });
  const publicKeys = new LRUCache<string, RsaPublicKey>({ max: 500, memoMethod: readRsaPublicKey });

  function keyOf({ consumerKey, token }: OAuthRequest, signatory: Signatory, tokenKind: TokenKind): VerificationKey {
    const { method, sealed_secret: sealed, public_key: pem, sealed_token_secret: sealedToken } = signatory;
    if (method === 'RSA-SHA1') return { method, publicKey: publicKeys.memo(pem ?? '') };
    const secretOf = (text: string, context: string) => secrets.memo(text, { context });
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
    // An app's consumer has no tokens: a request that names one is refused later, like any other
    // request for a member it may not act for.
    const isTokenKnown = token === '' || signatory?.sealed_token_secret != null || signatory?.kind === 'app';
    if (!signatory || !isVerified || !isTokenKnown) throw oauthRefusal('signature_invalid');
    if (request.bodyHash !== undefined && !isBodyHash(request.bodyHash, signatureMethod, body ?? '')) {
      throw oauthRefusal('signature_invalid');
    }
    if (signatory.require_body_hash === 1 && body !== undefined && request.bodyHash === undefined && !isForm(header)) {
      throw new OAuthError(400, 'parameter_absent', 'This key must sign every body: send oauth_body_hash.');
    }
    if (!isTimely(timestamp, now())) throw oauthRefusal('timestamp_refused');
    const verdict = await nonces.consume({ consumerKey, token, timestamp, nonce });
    if (verdict !== 'fresh') throw oauthRefusal(verdict === 'used' ? 'nonce_used' : 'timestamp_refused');
  };
}

export type Verify = ReturnType<typeof createVerifier>;
export type TokenKind = 'access' | 'request';

function isForm(header: HttpRequest['header']): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(header('content-type') ?? '');
}

const messages = {
  signature_invalid: 'The consumer key, the token or the signature is invalid.',
  timestamp_refused: 'oauth_timestamp is too far from the time of this server.',
  nonce_used: 'This nonce was used before: sign each request with a new one.',
  permission_denied: 'xoauth_requestor_id must name a member for whom this key may act.',
} as const satisfies Partial<Record<OAuthProblem, string>>;

export function oauthRefusal(problem: keyof typeof messages, message: string = messages[problem]): OAuthError {
  return new OAuthError(401, problem, message);
}
