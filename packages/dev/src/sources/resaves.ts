import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** The part of Vite's watcher that this needs. */
export interface Watcher {
  on(event: 'all', listener: (event: string, path: string) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  emit(event: 'change', path: string): unknown;
}

const lookAgainMs = 80;
const mostBytes = 4 * 1024 * 1024;

/**
 * Finds saves that a watcher leaves out. Vite's drops a second change within 50 ms, as a formatter makes one on save: the old
 * code would stay on the screen. So each file is read again a little later, and announced anew if it is another by then.
 */
export function followResaves(watcher: Watcher, read: (path: string) => string | undefined = digest): void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  watcher.on('all', (event, path) => {
    if (event !== 'change' && event !== 'add') return;
    const announced = read(path);
    clearTimeout(timers.get(path));
    const timer = setTimeout(() => {
      timers.delete(path);
      const now = read(path);
      if (now !== undefined && now !== announced) watcher.emit('change', path);
    }, lookAgainMs);
    timer.unref();
    timers.set(path, timer);
  });
}

function digest(path: string): string | undefined {
  try {
    if (statSync(path).size > mostBytes) return undefined;
    return createHash('sha1').update(readFileSync(path)).digest('base64');
  } catch {
    return undefined; // removed meanwhile
  }
}
