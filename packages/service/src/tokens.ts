import { hash } from 'node:crypto';

type Random = (bytes: number) => Uint8Array;

/** A token or its secret: 160 random bits, as text that no client has to escape. */
export function newToken(random: Random): string {
  return Buffer.from(random(20)).toString('hex');
}

// Crockford's alphabet: a member may have to copy a verifier by hand.
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** A verifier: 60 random bits, of which five tries find nothing. */
export function newVerifier(random: Random): string {
  return Array.from(random(12), (byte) => letters[byte % letters.length]).join('');
}

/** What the database keeps of a verifier: comparing digests tells nothing about the verifier by its time. */
export function verifierDigest(token: string, verifier: string): string {
  return hash('sha256', `${token} ${verifier}`, 'base64url');
}
