import { createPublicKey, type KeyObject } from 'node:crypto';

/** The public half of an RSA consumer's key. */
export interface RsaPublicKey {
  readonly key: KeyObject;
  /** Big-endian, as long as every signature by this key. */
  readonly modulus: Uint8Array;
  /** The key as SubjectPublicKeyInfo in PEM, whatever its format was. */
  readonly pem: string;
}

const minBits = 2048;
/** A longer key would make each request cost too much. */
const maxBits = 4096;

/**
 * Reads an RSA public key in PEM: `PUBLIC KEY`, `RSA PUBLIC KEY`, or the one in a `CERTIFICATE`.
 *
 * @throws TypeError that names the fault and never repeats the text: it might be a private key.
 */
export function readRsaPublicKey(pem: string): RsaPublicKey {
  if (pem.includes('PRIVATE KEY')) throw new TypeError('This is a private key: keep it, and give its public half.');
  const key = parse(pem);
  if (key.asymmetricKeyType !== 'rsa')
    throw new TypeError('RSA-SHA1 needs an RSA key, and this is one of another kind.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < minBits || bits > maxBits) {
    throw new TypeError(`An RSA key has ${minBits} to ${maxBits} bits, and this one has ${bits}.`);
  }
  const modulus = Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url');
  return { key, modulus, pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}

function parse(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new TypeError('This is no public key in PEM (-----BEGIN PUBLIC KEY-----).');
  }
}
