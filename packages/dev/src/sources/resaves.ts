import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Vite's watcher, as used here. */
export interface Watcher {
  on(event: 'all', listener: (event: string, path: string) => void): unknown;
  emit(event: 'change', path: string): unknown;
}

interface Save {
  /** Digest of what the builder has read since, which is certain. */
  loaded?: string;
  /** Digest of the file when it was announced. */
  seen?: string | undefined;
}

const lookAgainMs = 80;
const filledMs = 10;
const mostBytes = 4 * 1024 * 1024;

/**
 * Vite's watcher drops a second change within 50 ms, such as a formatter's on save: the old code
 * would stay on the screen. So each file is read again a little later, and announced again only if
 * its content changed: of two updates at once React shows the older.
 */
export function createResaves(read: (path: string) => string | undefined = readText) {
  const saves = new Map<string, Save>();

  function look(watcher: Watcher, path: string, save: Save): void {
    if (saves.get(path) === save) saves.delete(path);
    const now = digest(read(path));
    const before = save.loaded ?? save.seen;
    if (now !== undefined && before !== undefined && now !== before) watcher.emit('change', path);
  }

  return {
    follow(watcher: Watcher): void {
      watcher.on('all', (event, path) => {
        if (event !== 'change' && event !== 'add') return;
        const save: Save = { seen: digest(read(path)) };
        saves.set(path, save);
        if (save.seen === undefined) {
          setTimeout(() => {
            save.seen = digest(read(path)); // the editor had truncated the file
          }, filledMs).unref();
        }
        setTimeout(() => look(watcher, path, save), lookAgainMs).unref();
      });
    },
    /** Notes a source that the builder has read. */
    loaded(path: string, code: string): void {
      const save = saves.get(path);
      const read = digest(code);
      if (save && read !== undefined) save.loaded = read;
    },
  };
}

/** Returns `undefined` for an empty file too: a save begins that way. */
function digest(text: string | undefined): string | undefined {
  return text ? createHash('sha1').update(text).digest('base64') : undefined;
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > mostBytes ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined; // removed
  }
}
