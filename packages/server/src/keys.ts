import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The site's own keys. They stay on the server. */
export interface Keys {
  /** Seals consumer secrets at rest: 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Sign gadget tokens, newest first: at least 32 bytes each. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: Uint8Array }[];
}

interface KeyFile {
  readonly secretKey: string;
  /** `since`: when it became the first, in milliseconds since the epoch. */
  readonly tokenKeys: readonly { readonly id: string; readonly key: string; readonly since?: number }[];
}

/** Longer than any token that an older key signed is valid. */
const keptMs = 60 * 60 * 1000;

/** Reads the keys of a data folder, making them on first use. The file is readable by its owner only. */
export function readKeys(data: string): Keys {
  const path = join(data, 'keys.json');
  if (!existsSync(path)) writeNewKeys(path);
  let file: KeyFile;
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
    return {
      secretKey: Buffer.from(file.secretKey, 'base64url'),
      tokenKeys: file.tokenKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') })),
    };
  } catch (cause) {
    throw new Error(`${path} is not a key file. Restore it from a backup: without it sealed secrets cannot be read.`, {
      cause,
    });
  }
}

/**
 * Puts a new key for gadget tokens first, and drops those that were replaced more than an hour ago. Servers that run read
 * the file again by themselves.
 *
 * @returns Ids of the keys that now hold, the new one first.
 */
export function rotateTokenKeys(data: string, nowMs: number): string[] {
  readKeys(data); // made where missing, and known to be right
  const path = join(data, 'keys.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  const id = String(1 + Math.max(0, ...file.tokenKeys.map((each) => Number(each.id) || 0)));
  const fresh = { id, key: randomBytes(32).toString('base64url'), since: nowMs };
  const tokenKeys = [fresh, ...file.tokenKeys].filter((_, index, all) => {
    const replacedAtMs = all[index - 1]?.since;
    return replacedAtMs === undefined || replacedAtMs > nowMs - keptMs;
  });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify({ ...file, tokenKeys }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path); // whole or not at all, for servers that read it at this moment
  return tokenKeys.map((each) => each.id);
}

function writeNewKeys(path: string): void {
  const key = () => randomBytes(32).toString('base64url');
  const file: KeyFile = { secretKey: key(), tokenKeys: [{ id: '1', key: key() }] };
  try {
    writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was first: its keys count
  }
}
