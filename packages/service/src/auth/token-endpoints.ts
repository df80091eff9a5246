import { OAuthError, type OAuthRequest } from '@gantry/oauth';
import { type Database, seal } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { authenticateHeader } from '../http/answer.ts';
import { findSignatory } from '../store/consumers.ts';
import { addRequestToken, exchangeToken, type Flow } from '../store/request-tokens.ts';
import { parseCallback } from './callback-url.ts';
import { newToken, verifierDigest } from './tokens.ts';
import { oauthRefusal, parseSignedRequest, type SignedRequest, sealContext, type Verify } from './verify-request.ts';

/** One of the four token endpoints (contract §1). */
export interface TokenEndpoint {
  readonly flow: Flow;
  readonly gives: 'request token' | 'access token';
}

/** The endpoints by their paths. */
export const tokenEndpoints: ReadonlyMap<string, TokenEndpoint> = new Map([
  ['/oauth/request_token', { flow: 'member', gives: 'request token' }],
  ['/oauth/access_token', { flow: 'member', gives: 'access token' }],
  ['/admin/oauth/request_token', { flow: 'admin', gives: 'request token' }],
  ['/admin/oauth/access_token', { flow: 'admin', gives: 'access token' }],
]);

export interface TokenEndpointOptions {
  readonly db: Database;
  readonly verify: Verify;
  /** 32 bytes: seals the secrets of tokens. */
  readonly secretKey: Uint8Array;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface TokenRequest {
  readonly signed: SignedRequest;
  readonly endpoint: TokenEndpoint;
  /** Called with the consumer's key once it is verified. May throw. */
  readonly onVerified: (consumerKey: string) => Promise<void>;
}

type StoreToken = (token: string, secret: string) => Promise<void>;

/**
 * Creates the function that issues request tokens and exchanges them for access tokens (contract
 * §5; RFC 5849 §2.1, §2.3). The function throws OAuthError, and SocialError METHOD_NOT_ALLOWED.
 */
export function createTokenEndpoints({ db, verify, secretKey, now, random }: TokenEndpointOptions) {
  async function verifyConsumer({ signed, endpoint, onVerified }: TokenRequest, request: OAuthRequest): Promise<void> {
    const { flow } = endpoint;
    const { consumerKey: key, token } = request;
    const signatory = await findSignatory(db, { key, token, flow });
    await verify({ ...signed, request }, signatory, 'request');
    await onVerified(key);
    if (signatory?.kind === 'app')
      throw oauthRefusal('permission_denied', "An app's key acts for its members without a token.");
    if (flow === 'admin' && signatory?.kind !== 'admin') {
      throw oauthRefusal(
        'permission_denied',
        "Only an administrator's key may use this endpoint: use /oauth/request_token.",
      );
    }
  }

  function toRequestToken({ consumerKey, token, callback: asked }: OAuthRequest, flow: Flow): StoreToken {
    const callback = parseCallback(asked);
    if (callback === undefined) {
      const rule = 'oauth_callback is oob, or an absolute http or https URL in ASCII.';
      throw new OAuthError(400, 'parameter_rejected', rule);
    }
    return async (issued, secret) => {
      if (token !== '') throw oauthRefusal('signature_invalid');
      const sealedSecret = seal(secretKey, secret, sealContext.request(issued));
      await addRequestToken(db, { token: issued, sealedSecret, consumerKey, flow, callback, nowMs: now() });
    };
  }

  function toAccessToken({ consumerKey, token, verifier }: OAuthRequest, flow: Flow): StoreToken {
    if (token === '') throw missing('oauth_token');
    if (verifier === undefined) throw missing('oauth_verifier');
    return async (accessToken, secret) => {
      const sealedSecret = seal(secretKey, secret, sealContext.access(accessToken));
      const exchange = { token, flow, consumerKey, accessToken, sealedSecret, nowMs: now() };
      const outcome = await exchangeToken(db, { ...exchange, verifierDigest: verifierDigest(token, verifier) });
      if (outcome === 'void') throw oauthRefusal('signature_invalid');
      if (outcome === 'wrong verifier')
        throw oauthRefusal('permission_denied', 'No member allowed this token with this verifier.');
    };
  }

  return async function issueToken(tokenRequest: TokenRequest): Promise<HttpResponse> {
    const { signed, endpoint } = tokenRequest;
    if (signed.method !== 'GET' && signed.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Request tokens with GET or POST.', { allow: ['GET', 'POST'] });
    }
    const request = parseSignedRequest(signed);
    const store = (endpoint.gives === 'request token' ? toRequestToken : toAccessToken)(request, endpoint.flow);
    await verifyConsumer(tokenRequest, request);
    const [token, secret] = [newToken(random), newToken(random)];
    await store(token, secret);
    // In this order: some clients read everything after oauth_token_secret as the secret.
    return form(200, [
      ['oauth_callback_confirmed', 'true'],
      ['oauth_token', token],
      ['oauth_token_secret', secret],
    ]);
  };
}

/** Answers an OAuth error as a form, the only type that clients of these endpoints read. */
export function tokenRefusal({ status, problem, message }: OAuthError, origin: string): HttpResponse {
  const answer = form(status, [
    ['oauth_problem', problem],
    ['oauth_problem_advice', message],
  ]);
  if (status !== 401) return answer;
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': authenticateHeader(origin, problem) } };
}

function form(status: number, fields: readonly (readonly [name: string, value: string])[]): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Cache-Control': 'no-store' },
    body: fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
  };
}

function missing(name: string): OAuthError {
  return new OAuthError(400, 'parameter_absent', `${name} is missing.`);
}
