import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from './node-sqlite.ts';

/** True if this Node loads a database in memory from bytes: from 24 on. */
export const takesBytes = typeof DatabaseSync.prototype.deserialize === 'function';

/** Returns a whole database as the bytes of a file. */
export function bytesOf(handle: DatabaseSync): Uint8Array {
  const bytes = takesBytes ? handle.serialize() : copyOf(handle);
  // These two claim a log beside the file. In memory there is none, and opening would fail
  // (https://sqlite.org/fileformat2.html, "File format version numbers").
  bytes.fill(1, 18, 20);
  return bytes;
}

function copyOf(handle: DatabaseSync): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bytes-'));
  try {
    const file = join(folder, 'copy.db');
    handle.prepare('vacuum into ?').run(file);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
