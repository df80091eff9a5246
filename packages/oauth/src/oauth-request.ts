import { parseAuthorization } from './authorization.ts';
import { type Parameter, signatureBaseString } from './base-string.ts';
import { OAuthError } from './oauth-error.ts';
import { refuseTooMany } from './parameter-bounds.ts';
import { isSignatureMethod, type SignatureMethod, signatureMethods } from './signature.ts';
import type { Target } from './target.ts';

/** Claims of a request about its sender, unproven until `verifySignature` returns true. */
export interface OAuthRequest {
  readonly consumerKey: string;
  /** Empty if absent. */
  readonly token: string;
  readonly signatureMethod: SignatureMethod;
  /** Base64, unchecked. */
  readonly signature: string;
  /** Seconds since the epoch, by the client's clock. */
  readonly timestamp: number;
  /** 1 to 255 characters. */
  readonly nonce: string;
  /** To be checked with `isBodyHash` on the raw body. */
  readonly bodyHash: string | undefined;
  /** `oauth_callback`, unchecked. @see RFC 5849 §2.1 */
  readonly callback: string | undefined;
  /** `oauth_verifier`. @see RFC 5849 §2.3 */
  readonly verifier: string | undefined;
  /** `xoauth_requestor_id`. */
  readonly requestorId: string | undefined;
  /** The text that the signature covers. */
  readonly baseString: string;
}

export interface OAuthInput {
  /** As received: `HEAD` is signed as `HEAD`. */
  readonly method: string;
  /** `scheme://host[:port]` as the client addressed it, normalized as `URL.origin` is. */
  readonly origin: string;
  readonly target: Target;
  /** Every `Authorization` header of the request. */
  readonly authorization: readonly string[];
  /** The body, if its content type is `application/x-www-form-urlencoded`. */
  readonly form?: readonly Parameter[] | undefined;
}

/**
 * Collects a request's OAuth parameters from header, query and form body, and checks their shape.
 *
 * @throws OAuthError 401 `parameter_absent` for a request without any; 400 if one is missing,
 * malformed or given twice, or there are too many parameters; TypeError if `origin` is no URL.
 * @see RFC 5849 §3.1, §3.2, §3.5; contract §5
 */
export function parseOAuth({ method, origin, target, authorization, form }: OAuthInput): OAuthRequest {
  if (authorization.length > 1) throw rejected('Send one Authorization header.');
  const parameters = parseAuthorization(authorization[0] ?? '').concat(target.query, form ?? []);
  refuseTooMany(parameters.length);
  const protocol = protocolParameters(parameters);
  if (protocol.size === 0) throw new OAuthError(401, 'parameter_absent', 'Sign the request with OAuth 1.0a.');

  const signatureMethod = required(protocol, 'oauth_signature_method');
  const bodyHash = protocol.get('oauth_body_hash');
  const version = protocol.get('oauth_version');
  if (version !== undefined && version !== '1.0') {
    throw new OAuthError(400, 'version_rejected', 'oauth_version is 1.0, or absent.');
  }
  if (!isSignatureMethod(signatureMethod)) {
    throw new OAuthError(400, 'signature_method_rejected', `Sign with one of ${signatureMethods.join(', ')}.`);
  }
  if (form && bodyHash !== undefined) throw rejected('A form body is signed itself: leave out oauth_body_hash.');

  const signed = parameters.filter(([name]) => name !== 'oauth_signature');
  return {
    consumerKey: required(protocol, 'oauth_consumer_key'),
    token: protocol.get('oauth_token') ?? '',
    signatureMethod,
    signature: required(protocol, 'oauth_signature'),
    timestamp: timestamp(required(protocol, 'oauth_timestamp')),
    nonce: nonce(required(protocol, 'oauth_nonce')),
    bodyHash,
    callback: protocol.get('oauth_callback'),
    verifier: protocol.get('oauth_verifier'),
    requestorId: requestorId(parameters),
    baseString: signatureBaseString(method, origin + target.path, signed),
  };
}

/** True for a timestamp, in seconds, at most 300 from the clock, either way (contract §5). */
export function isTimely(timestamp: number, nowMs: number): boolean {
  return Math.abs(timestamp - Math.floor(nowMs / 1000)) <= 300;
}

function protocolParameters(parameters: readonly Parameter[]): ReadonlyMap<string, string> {
  const protocol = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (!name.startsWith('oauth_')) continue;
    if (protocol.has(name)) throw rejected('Send each OAuth parameter once, in one place.');
    if (value.includes('\0')) throw rejected('OAuth parameters have no NUL.'); // not every database could look it up
    protocol.set(name, value);
  }
  return protocol;
}

function required(protocol: ReadonlyMap<string, string>, name: string): string {
  const value = protocol.get(name);
  if (value === undefined) throw new OAuthError(400, 'parameter_absent', `${name} is missing.`);
  return value;
}

function timestamp(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw rejected('oauth_timestamp is the number of seconds since 1970, in digits.');
  return Number(text);
}

function nonce(text: string): string {
  if (text === '' || text.length > 255) throw rejected('oauth_nonce has 1 to 255 characters.');
  return text;
}

function requestorId(parameters: readonly Parameter[]): string | undefined {
  let id: string | undefined;
  for (const [name, value] of parameters) {
    if (name !== 'xoauth_requestor_id') continue;
    if (id !== undefined && value !== id) throw rejected('Two different values of xoauth_requestor_id.');
    id = value;
  }
  return id;
}

function rejected(message: string): OAuthError {
  return new OAuthError(400, 'parameter_rejected', message);
}
