import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { percentEncode } from './percent-encode.ts';

/** What a consumer signs with. */
export interface SigningKey {
  /** The one method that this consumer may use: a signature by any other is wrong. */
  readonly method: SignatureMethod;
  readonly secret: string;
  readonly tokenSecret?: string;
}

export type SignatureMethod = keyof typeof signatureMethods;

interface SignatureScheme {
  readonly bodyDigest: string;
  verify(baseString: string, signature: string, key: SigningKey): boolean;
}

const signatureMethods = {
  'HMAC-SHA1': hmac('sha1'),
} as const satisfies Record<string, SignatureScheme>;

export function isSignatureMethod(name: string): name is SignatureMethod {
  return Object.hasOwn(signatureMethods, name);
}

/**
 * True if the signature was made with this key. Compares in constant time.
 *
 * @param key `undefined` for a consumer that does not exist: always false, after the same work, so that time tells nothing.
 */
export function verifySignature(
  request: { readonly signatureMethod: string; readonly signature: string; readonly baseString: string },
  key: SigningKey | undefined,
): boolean {
  const used = key ?? nobody;
  const fits = signatureMethods[used.method].verify(request.baseString, request.signature, used);
  return fits && key !== undefined && request.signatureMethod === key.method;
}

// HMAC pads every key to one block, so an empty secret takes as long as any.
const nobody: SigningKey = { method: 'HMAC-SHA1', secret: '' };

/** The value of `oauth_body_hash` for a body. */
export function bodyHash(method: SignatureMethod, body: string | Uint8Array): string {
  return createHash(signatureMethods[method].bodyDigest).update(body).digest('base64');
}

/** Key of the HMAC methods. @see RFC 5849 §3.4.2 */
function hmacKey(secret: string, tokenSecret = ''): string {
  return `${percentEncode(secret)}&${percentEncode(tokenSecret)}`;
}

function hmac(digest: 'sha1'): SignatureScheme {
  return {
    bodyDigest: digest,
    verify(baseString, signature, { secret, tokenSecret }) {
      // Compared as text: what is not the canonical base64 of the digest is wrong without being decoded.
      const expected = Buffer.from(
        createHmac(digest, hmacKey(secret, tokenSecret)).update(baseString).digest('base64'),
      );
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
