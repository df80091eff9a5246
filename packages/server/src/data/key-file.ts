import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyRing, keysOf, newKeyRing } from './key-ring.ts';

/** Reads the keys of a data folder, creating them on first use, readable by their owner only. */
export function readKeyFile(data: string): KeyRing {
  const path = join(data, 'keys.json');
  if (!existsSync(path)) writeNewKeys(path);
  try {
    const ring = JSON.parse(readFileSync(path, 'utf8')) as KeyRing;
    keysOf(ring, 0); // throws if it is none
    return ring;
  } catch (cause) {
    const remedy = 'Restore it from a backup: without it encrypted secrets cannot be read.';
    throw new Error(`${path} is not a key file. ${remedy}`, { cause });
  }
}

/** Returns whether a data folder has keys. */
export function hasKeyFile(data: string): boolean {
  return existsSync(join(data, 'keys.json'));
}

/** Replaces the keys of a data folder at once, for servers that read them at this moment. */
export function writeKeyFile(data: string, ring: KeyRing): void {
  const path = join(data, 'keys.json');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, textOf(ring), { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

function writeNewKeys(path: string): void {
  try {
    writeFileSync(path, textOf(newKeyRing()), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was first: use its keys
  }
}

function textOf(ring: KeyRing): string {
  return `${JSON.stringify(ring, null, 2)}\n`;
}
