import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The site's own keys, which never leave the server. */
export interface Keys {
  /** Encrypts stored consumer secrets: 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Sign gadget tokens, newest first; at least 32 bytes each. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: Uint8Array }[];
}

interface KeyFile {
  readonly secretKey: string;
  /** `since`: time at which the key became the first, in milliseconds since the epoch. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: string; readonly since?: number }[];
}

/** Longer than any token is valid. */
const keptMs = 60 * 60 * 1000;

/** Reads the keys of a data folder, creating them on first use, readable by their owner only. */
export function readKeys(data: string): Keys {
  const path = join(data, 'keys.json');
  if (!existsSync(path)) writeNewKeys(path);
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
    return {
      secretKey: Buffer.from(file.secretKey, 'base64url'),
      tokenKeys: file.tokenKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') })),
    };
  } catch (cause) {
    const remedy = 'Restore it from a backup: without it encrypted secrets cannot be read.';
    throw new Error(`${path} is not a key file. ${remedy}`, { cause });
  }
}

/**
 * Adds a new first key for gadget tokens, and drops keys replaced over an hour ago. Running servers
 * read the file again by themselves.
 *
 * @returns Ids of the valid keys, the new one first.
 */
export function rotateTokenKeys(data: string, nowMs: number): string[] {
  readKeys(data); // creates them if missing, and validates
  const path = join(data, 'keys.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  const id = String(1 + Math.max(0, ...file.tokenKeys.map((each) => Number(each.id) || 0)));
  const fresh = { id, key: randomBytes(32).toString('base64url'), since: nowMs };
  const tokenKeys = [fresh, ...file.tokenKeys].filter((_, index, all) => {
    const replacedAtMs = all[index - 1]?.since;
    return replacedAtMs === undefined || replacedAtMs > nowMs - keptMs;
  });
  overwrite(path, { ...file, tokenKeys });
  return tokenKeys.map((each) => each.id);
}

/** Replaces all keys, without those from before. Returns the one that seals secrets. */
export function replaceKeyFile(data: string): Uint8Array {
  overwrite(join(data, 'keys.json'), newKeys());
  return readKeys(data).secretKey;
}

function newKeys(): KeyFile {
  const key = () => randomBytes(32).toString('base64url');
  return { secretKey: key(), tokenKeys: [{ id: '1', key: key() }] };
}

function overwrite(path: string, file: KeyFile): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path); // atomic, for servers that read it at this moment
}

function writeNewKeys(path: string): void {
  try {
    writeFileSync(path, `${JSON.stringify(newKeys(), null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was first: use its keys
  }
}
