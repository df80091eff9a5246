import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto';
import { percentEncode } from './percent-encode.ts';
import { type RsaPublicKey, readRsaPublicKey } from './rsa-public-key.ts';

/** The one method that a consumer may sign with, and its key. Any other signature is wrong. */
export type VerificationKey =
  | { readonly method: HmacMethod; readonly secret: string; readonly tokenSecret?: string | undefined }
  // RSA-SHA1 uses no token secret (RFC 5849 §3.4.3).
  | { readonly method: 'RSA-SHA1'; readonly publicKey: RsaPublicKey };

export type HmacMethod = 'HMAC-SHA1' | 'HMAC-SHA256';
export type SignatureMethod = HmacMethod | 'RSA-SHA1';

/** The methods that are verified. PLAINTEXT is not: it sends the secret itself. */
export const signatureMethods: readonly SignatureMethod[] = ['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1'];

/** Returns true for the name of a method that is verified. */
export function isSignatureMethod(name: string): name is SignatureMethod {
  return (signatureMethods as readonly string[]).includes(name);
}

export interface Signed {
  readonly signatureMethod: SignatureMethod;
  readonly signature: string;
  readonly baseString: string;
}

/**
 * Returns true if the signature was made with this key. Compares in constant time.
 *
 * The work is that of the method which the request names: a stand-in key is used for a consumer
 * that does not exist, or is bound to another method, so that the time reveals neither
 * (docs/decisions/0015-rsa-consumers.md).
 *
 * @example
 * const baseString = 'GET&http%3A%2F%2Fh%2F&';
 * const request = { signatureMethod: 'HMAC-SHA1', signature: 'c2lnbmF0dXJl', baseString };
 * verifySignature(request, { method: 'HMAC-SHA1', secret: 'its secret' }); // false
 * @param key `undefined` for a consumer that does not exist: always false.
 */
export function verifySignature(request: Signed, key: VerificationKey | undefined): boolean {
  if (request.signatureMethod === 'RSA-SHA1') {
    const isBound = key?.method === 'RSA-SHA1';
    return isRsaSignature(request, isBound ? key.publicKey : standIn) && isBound;
  }
  const isBound = key?.method === request.signatureMethod;
  // HMAC pads every key to one block, so an empty secret takes as long as any.
  return isHmac(request, request.signatureMethod, isBound ? hmacKey(key.secret, key.tokenSecret) : '&') && isBound;
}

/** Returns the `oauth_body_hash` of a body: SHA-256 beside HMAC-SHA256, else SHA-1. */
export function bodyHash(method: SignatureMethod, body: string | Uint8Array): string {
  return createHash(method === 'HMAC-SHA256' ? 'sha256' : 'sha1')
    .update(body)
    .digest('base64');
}

/** Compares the hash of a body. Beside HMAC-SHA256 clients send SHA-1 too (contract §5). */
export function isBodyHash(hash: string, method: SignatureMethod, body: string | Uint8Array): boolean {
  return hash === bodyHash(method, body) || (method === 'HMAC-SHA256' && hash === bodyHash('HMAC-SHA1', body));
}

const hmacDigests = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const satisfies Record<HmacMethod, string>;

export function hmac(method: HmacMethod, baseString: string, key: string): string {
  return createHmac(hmacDigests[method], key).update(baseString).digest('base64');
}

/** Returns the key of the HMAC methods. @see RFC 5849 §3.4.2 */
function hmacKey(secret: string, tokenSecret = ''): string {
  return `${percentEncode(secret)}&${percentEncode(tokenSecret)}`;
}

function isHmac({ baseString, signature }: Signed, method: HmacMethod, key: string): boolean {
  // Compared as text: anything but the canonical base64 of the digest is wrong.
  const expected = Buffer.from(hmac(method, baseString, key));
  const bytes = Buffer.from(signature);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Verifies RSASSA-PKCS1-v1_5 with SHA-1. @see RFC 5849 §3.4.3 */
function isRsaSignature({ baseString, signature }: Signed, { key, modulus }: RsaPublicKey): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // OpenSSL returns early for a value that cannot be a signature by this key, which would tell keys
  // apart: it gets one that can be.
  const canBe = bytes.length === modulus.length && Buffer.compare(bytes, modulus) < 0;
  const fits = verify('RSA-SHA1', Buffer.from(baseString), key, canBe ? bytes : Buffer.alloc(modulus.length, 1));
  return fits && bytes.toString('base64') === signature;
}

/** A public key whose private half was thrown away. */
const standIn = readRsaPublicKey(`
-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA3N4R+xZU/rNKRWPuBqZF
HU4iBcBcpqIgAQ5OWp1Ir1/LqsF4XH4JbQU4AiWJYzZpIg28smBk5usrxaqZGzfw
sVTOtxlXVc1pkx3SNCUZDGHLbIJ6WI6krb+mC27L6xm0rYy6CVZieLxWXB6as8Rp
vLKT99xVWM1MJT61n2QXDM67jJ71UjmS8ijG2FkgDBdgfT4hkGKI/gDK2U/0qbSj
8ffhAcUq7AFo6fv6apeK3logMLUwN8CNuAAv+/AsqLBPYJAznWtOK25lY7JP/vBi
k9lyap8KB81GrxpuFg8lq8fPb1kdRc2SqUMcZnzGTD/lte2VX/OwKuC/oa40IoUH
ZQIDAQAB
-----END PUBLIC KEY-----`);
