import { randomBytes } from 'node:crypto';

/** The site's own keys, which never leave the server. */
export interface Keys {
  /** Encrypts stored consumer secrets: 32 bytes. */
  readonly secretKey: Uint8Array;
  /** The first signs gadget tokens, all verify; at least 32 bytes each. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: Uint8Array }[];
  /** Reads the token keys again: another process may have rotated them. Absent: they stay. */
  readonly readTokenKeys?: () => Promise<Keys['tokenKeys']>;
  /** The site's own public key in PEM. Absent: the site publishes none, or it is a file. */
  readonly publicKey?: string | undefined;
}

/** Keys as they are stored: each in base64url. */
export interface KeyRing {
  readonly secretKey: string;
  /** `since`: time at which the key became the first, in milliseconds since the epoch. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: string; readonly since?: number }[];
  /** The site's RSA key in PEM. Absent in a data folder, where it has a file of its own. */
  readonly siteKey?: string;
}

/** Longer than any token is valid. */
const keptMs = 60 * 60 * 1000;

/**
 * Age at which a new key begins to sign: longer than the second for which a process that just read
 * the keys does not read them for an unknown one, and the difference of the machines' clocks.
 */
export const knownMs = 5_000;

export function newKeyRing(): KeyRing {
  return { secretKey: newKey(), tokenKeys: [{ id: '1', key: newKey() }] };
}

/** Adds a new first key for gadget tokens, and drops keys that were replaced over an hour ago. */
export function withNewTokenKey(ring: KeyRing, nowMs: number): KeyRing {
  const id = String(1 + Math.max(0, ...ring.tokenKeys.map((each) => Number(each.id) || 0)));
  const tokenKeys = [{ id, key: newKey(), since: nowMs }, ...ring.tokenKeys].filter((_, index, all) => {
    const replacedAtMs = all[index - 1]?.since;
    return replacedAtMs === undefined || replacedAtMs > nowMs - keptMs;
  });
  return { ...ring, tokenKeys };
}

/** Returns the keys as they are used at a time: a new one verifies before it signs. */
export function keysOf({ secretKey, tokenKeys }: KeyRing, nowMs: number): Keys {
  const isNew = ({ since }: KeyRing['tokenKeys'][number]) => since !== undefined && since > nowMs - knownMs;
  const ordered = [...tokenKeys.filter((each) => !isNew(each)), ...tokenKeys.filter(isNew)];
  return {
    secretKey: Buffer.from(secretKey, 'base64url'),
    tokenKeys: ordered.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') })),
  };
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
