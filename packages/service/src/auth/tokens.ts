import { hash } from 'node:crypto';

type Random = (bytes: number) => Uint8Array;

/** Returns a token or its secret: 160 random bits that need no escaping. */
export function newToken(random: Random): string {
  return Buffer.from(random(20)).toString('hex');
}

// Crockford's alphabet: a member may have to copy a verifier by hand.
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a verifier: 60 random bits, safe against five guesses. */
export function newVerifier(random: Random): string {
  return Array.from(random(12), (byte) => letters[byte % letters.length]).join('');
}

/** Returns the digest that the database stores. Comparing digests leaks nothing through timing. */
export function verifierDigest(token: string, verifier: string): string {
  return hash('sha256', `${token} ${verifier}`, 'base64url');
}
