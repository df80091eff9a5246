import { OAuthError, type OAuthRequest } from '@gantry/oauth';
import { type Database, seal } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { authenticateHeader } from './answer.ts';
import { parseCallback } from './callback-url.ts';
import type { Answer } from './exchange.ts';
import { readSigned, refused, type SignedRequest, sealContext, type Verify } from './signed-request.ts';
import { findSignatory } from './store/consumers.ts';
import { addRequestToken, exchangeToken, type Flow } from './store/request-tokens.ts';
import { newToken, verifierDigest } from './tokens.ts';

/** One of the four token endpoints (contract §1). */
export interface TokenEndpoint {
  readonly flow: Flow;
  readonly gives: 'request token' | 'access token';
}

const endpoints: ReadonlyMap<string, TokenEndpoint> = new Map([
  ['/oauth/request_token', { flow: 'member', gives: 'request token' }],
  ['/oauth/access_token', { flow: 'member', gives: 'access token' }],
  ['/admin/oauth/request_token', { flow: 'admin', gives: 'request token' }],
  ['/admin/oauth/access_token', { flow: 'admin', gives: 'access token' }],
]);

export function tokenEndpoint(path: string): TokenEndpoint | undefined {
  return endpoints.get(path);
}

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
  /** Called with the key of the consumer once it has proved itself. May throw. */
  readonly admit: (consumerKey: string) => void;
}

/** A token and its secret, on their way to the consumer. */
interface Issued {
  readonly token: string;
  readonly secret: string;
}

/**
 * Makes the function that issues request tokens and exchanges them for access tokens (contract §5; RFC 5849 §2.1, §2.3).
 *
 * @throws OAuthError from the function that it makes; SocialError METHOD_NOT_ALLOWED.
 */
export function createTokenEndpoints({ db, verify, secretKey, now, random }: TokenEndpointOptions) {
  async function prove({ signed, endpoint, admit }: TokenRequest, request: OAuthRequest): Promise<void> {
    const { flow } = endpoint;
    const { consumerKey: key, token } = request;
    const signatory = await findSignatory(db, { key, token, flow });
    await verify({ ...signed, request }, signatory, 'request');
    admit(key);
    if (signatory?.kind === 'app')
      throw refused('permission_denied', 'A key of an app speaks for its members by itself.');
    if (flow === 'admin' && signatory?.kind !== 'admin') {
      throw refused('permission_denied', 'Only the key of an administrator may ask here: use /oauth/request_token.');
    }
  }

  async function giveRequestToken(asked: TokenRequest): Promise<Issued> {
    const request = readSigned(asked.signed);
    const callback = parseCallback(request.callback);
    if (callback === undefined) throw badCallback();
    await prove(asked, request);
    if (request.token !== '') throw refused('signature_invalid');
    const issued = { token: newToken(random), secret: newToken(random) };
    const sealedSecret = seal(secretKey, issued.secret, sealContext.request(issued.token));
    const { consumerKey } = request;
    const { flow } = asked.endpoint;
    await addRequestToken(db, { token: issued.token, sealedSecret, consumerKey, flow, callback, nowMs: now() });
    return issued;
  }

  async function giveAccessToken(asked: TokenRequest): Promise<Issued> {
    const request = readSigned(asked.signed);
    const { consumerKey, token, verifier } = request;
    if (token === '') throw missing('oauth_token');
    if (verifier === undefined) throw missing('oauth_verifier');
    await prove(asked, request);
    const issued = { token: newToken(random), secret: newToken(random) };
    const outcome = await exchangeToken(db, {
      token,
      flow: asked.endpoint.flow,
      consumerKey,
      verifierDigest: verifierDigest(token, verifier),
      accessToken: issued.token,
      sealedSecret: seal(secretKey, issued.secret, sealContext.access(issued.token)),
      nowMs: now(),
    });
    if (outcome === 'void') throw refused('signature_invalid');
    if (outcome === 'wrong verifier')
      throw refused('permission_denied', 'No member allowed this token with this verifier.');
    return issued;
  }

  return async function answerTokens(asked: TokenRequest): Promise<Answer> {
    const { signed, endpoint } = asked;
    if (signed.method !== 'GET' && signed.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Ask for tokens with GET or POST.', { allow: ['GET', 'POST'] });
    }
    const { token, secret } = await (endpoint.gives === 'request token' ? giveRequestToken : giveAccessToken)(asked);
    // In this order: some clients take all that follows oauth_token_secret for the secret.
    return form(200, [
      ['oauth_callback_confirmed', 'true'],
      ['oauth_token', token],
      ['oauth_token_secret', secret],
    ]);
  };
}

/** What OAuth refuses here is a form too, since clients of these endpoints read nothing else. */
export function tokenRefusal({ status, problem, message }: OAuthError, origin: string): Answer {
  const answer = form(status, [
    ['oauth_problem', problem],
    ['oauth_problem_advice', message],
  ]);
  if (status !== 401) return answer;
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': authenticateHeader(origin, problem) } };
}

function form(status: number, fields: readonly (readonly [name: string, value: string])[]): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Cache-Control': 'no-store' },
    body: fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
  };
}

function badCallback(): OAuthError {
  return new OAuthError(400, 'parameter_rejected', 'oauth_callback is oob, or an absolute http or https URL in ASCII.');
}

function missing(name: string): OAuthError {
  return new OAuthError(400, 'parameter_absent', `${name} is missing.`);
}
