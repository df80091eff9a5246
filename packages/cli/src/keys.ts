import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  readonly tokenKeys: readonly { readonly id: string; readonly key: string }[];
}

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

function writeNewKeys(path: string): void {
  const key = () => randomBytes(32).toString('base64url');
  const file: KeyFile = { secretKey: key(), tokenKeys: [{ id: '1', key: key() }] };
  try {
    writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was first: its keys count
  }
}
