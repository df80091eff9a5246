import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from './node-sqlite.ts';
import { ownerOnly } from './private-file.ts';

/**
 * Copies an SQLite database while other processes write to it: the copy holds every transaction
 * that was acknowledged before it began, and none in part. It needs no log beside it, is on the
 * disk when this returns, and is readable by its owner only (security rule 30).
 *
 * @param target Path of no file yet.
 * @throws Error if the source is missing or the target exists.
 */
export function copySqlite({ source, target }: { readonly source: string; readonly target: string }): void {
  if (!existsSync(source)) throw new Error(`There is no database at ${source}.`);
  if (existsSync(target)) throw new Error(`${target} is there already.`);
  closeSync(openSync(target, 'wx', ownerOnly)); // SQLite takes an empty file as its own
  const handle = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
  try {
    handle.prepare('vacuum into ?').run(target);
  } finally {
    handle.close();
  }
  const descriptor = openSync(target, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Reads a whole database and returns its damages, `[]` for none. */
export function findDamage(file: string): readonly string[] {
  try {
    const handle = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = handle.prepare('pragma integrity_check').all() as { integrity_check: string }[];
      return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    } finally {
      handle.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}
