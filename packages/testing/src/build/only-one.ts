import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 50;

/**
 * Runs work in one process at a time. A lock whose process is gone is taken over.
 *
 * @param lock Path of the file that stands for the work.
 * @param limitMs Longest wait for another process.
 * @throws Error that names the lock when the limit has passed.
 */
export async function onlyOne<T>(lock: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + limitMs;
  while (!(await take(lock))) {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    else if (Date.now() > endMs) throw new Error(`Waited ${limitMs} ms for process ${holder}, which holds ${lock}.`);
    else await pause(everyMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function take(lock: string): Promise<boolean> {
  return writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
