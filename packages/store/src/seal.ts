import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const prefix = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a secret for storage: AES-256-GCM with a random IV, as `v1.` and base64url of IV, tag
 * and cipher text.
 *
 * @param key Exactly 32 bytes.
 * @param context Place of the text, for example `consumer/<key>`. A sealed text that is copied to
 * another row cannot be opened there.
 * @throws TypeError for a key of another length.
 */
export function seal(key: Uint8Array, text: string, context = ''): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', checked(key), iv).setAAD(Buffer.from(context));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url');
}

/**
 * Decrypts a text of `seal`.
 *
 * @throws TypeError for a key that is not 32 bytes, Error for a text that was altered, moved or
 * sealed with another key.
 */
export function unseal(key: Uint8Array, sealed: string, context = ''): string {
  checked(key);
  try {
    if (!sealed.startsWith(prefix)) throw new Error('unknown version');
    const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
    const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    const hidden = bytes.subarray(ivBytes + tagBytes);
    return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error('A sealed text was altered, moved, or sealed with another key.', { cause });
  }
}

function checked(key: Uint8Array): Uint8Array {
  if (key.length !== 32) throw new TypeError(`a sealing key has 32 bytes, this one has ${key.length}`);
  return key;
}
