import { type KeyObject, sign } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { type Parameter, signatureBaseString, splitUrl } from './base-string.ts';
import { percentEncode } from './percent-encode.ts';
import { bodyHash, type HmacMethod, hmac } from './signature.ts';
import { parseTarget } from './target.ts';

/** Credentials of a consumer. */
export type SigningConsumer =
  /** `signatureMethod`: HMAC-SHA1 by default. */
  | { readonly key: string; readonly secret: string; readonly signatureMethod?: HmacMethod }
  /** `privateKey`: PEM, or a key that was read from it. */
  | { readonly key: string; readonly privateKey: string | KeyObject; readonly signatureMethod: 'RSA-SHA1' };

export interface SigningOptions {
  readonly method: string;
  /** Absolute URL, exactly as it will be sent, query included. */
  readonly url: string;
  readonly consumer: SigningConsumer;
  readonly token?: { readonly key: string; readonly secret: string };
  /** Further parameters for the header, for example `xoauth_requestor_id` or `oauth_callback`. */
  readonly parameters?: readonly Parameter[];
  /** The body as it will be sent, if it is not a form: its hash is signed as `oauth_body_hash`. */
  readonly body?: string | Uint8Array;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Fresh random text for each request. */
  readonly nonce: string;
}

/**
 * Signs a request with the consumer's method, through the npm package `oauth-1.0a`.
 *
 * @example
 * const { authorization } = signRequest({
 *   method: 'GET',
 *   url: 'https://social.example/social/rest/people/@me/@self',
 *   consumer: { key: 'my-client', secret: 'its secret' },
 *   timestamp: 1700000000,
 *   nonce: 'n1',
 * });
 * authorization.startsWith('OAuth oauth_consumer_key="my-client"'); // true
 * @returns The value of the `Authorization` header.
 * @throws TypeError for a URL that would be sent with another path than the signed one, OAuthError
 * for a bad escape in it.
 */
export function signRequest(options: SigningOptions): { readonly authorization: string } {
  const { method, url, consumer, token, parameters = [], body, timestamp, nonce } = options;
  const { path, query } = splitUrl(url);
  const { origin, pathname } = new URL(url);
  if (pathname !== path) throw new TypeError('this path would be rewritten on its way');
  const sent = [...parseTarget(`${path}?${query}`).query, ...parameters];

  const { signatureMethod = 'HMAC-SHA1' } = consumer;
  const signer = new OAuth({
    consumer: { key: consumer.key, secret: 'secret' in consumer ? consumer.secret : '' },
    signature_method: signatureMethod,
    hash_function: (text, key) =>
      'privateKey' in consumer
        ? sign('RSA-SHA1', Buffer.from(text), consumer.privateKey).toString('base64')
        : hmac(consumer.signatureMethod ?? 'HMAC-SHA1', text, key),
    body_hash_function: () => bodyHash(signatureMethod, body ?? ''),
  });
  signer.getNonce = () => nonce;
  signer.getTimeStamp = () => timestamp;
  // The package collects parameters in an object and splits URLs at every `=`: `__proto__` and
  // `a=b=c` would get wrong signatures (docs/decisions/0064-one-of-each.md).
  signer.getBaseString = (_request, protocol) =>
    signatureBaseString(method, origin + path, [
      ...sent,
      ...Object.entries(protocol).map(([name, value]): Parameter => [name, String(value)]),
    ]);
  signer.percentEncode = percentEncode; // the same encoding, faster for text without reserved characters

  const signed = signer.authorize({ method, url, includeBodyHash: body !== undefined }, token);
  const extra = parameters.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`);
  return { authorization: [signer.toHeader(signed).Authorization, ...extra].join(', ') };
}
