import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secret that is sent as `Authorization: Bearer`; a table has only its digest. */
export interface BearerKey {
  /** Beginning of the key, by which it is found, listed and revoked. */
  readonly id: string;
  /** Shown only once: 256 random bits after the id. */
  readonly key: string;
  readonly digest: string;
}

const wellFormed = /^[0-9a-f]{16}\.[\w-]{43}$/;
/** Stands for the digest of an unknown id, so that it takes as long to refuse. */
const noDigest = digestOf('');

/** Makes a key. @param random Returns as many random bytes as it is asked for. */
export function newBearerKey(random: (bytes: number) => Uint8Array = randomBytes): BearerKey {
  const id = Buffer.from(random(8)).toString('hex');
  const key = `${id}.${Buffer.from(random(32)).toString('base64url')}`;
  return { id, key, digest: digestOf(key) };
}

/** Returns the id in a key, or `undefined` for a text that is none. */
export function bearerKeyId(key: string): string | undefined {
  return wellFormed.test(key) ? key.slice(0, 16) : undefined;
}

/** Returns whether a key has this digest. @param digest `undefined` for an id that no row has. */
export function isBearerKey(key: string, digest: string | undefined): boolean {
  const isSame = timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(digest ?? noDigest));
  return isSame && digest !== undefined;
}

// 256 random bits need no slow hash.
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
