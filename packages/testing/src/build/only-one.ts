import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 50;
const busy = 5; // SQLITE_BUSY

/**
 * Runs work in one process at a time. The lock is a transaction, which ends with its process.
 *
 * @param lock Path of the database that stands for the work. It is left there.
 * @param limitMs Longest wait for another process.
 * @throws Error that names the lock when the limit has passed.
 */
export async function onlyOne<T>(lock: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + limitMs;
  // Not an import, which an older Node resolves before `require-node.ts` runs.
  const sqlite = process.getBuiltinModule('node:sqlite');
  const database = new sqlite.DatabaseSync(lock);
  try {
    while (!take(database)) {
      if (Date.now() > endMs) throw new Error(`Waited ${limitMs} ms for another process, which holds ${lock}.`);
      await pause(everyMs);
    }
    return await work();
  } finally {
    database.close();
  }
}

function take(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === busy) return false;
    throw error;
  }
}
