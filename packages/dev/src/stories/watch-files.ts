import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches folders for changes of the files in them. */
export interface FileWatcher {
  add(files: readonly string[]): void;
  addFolder(folder: string): void;
  close(): void;
}

const quietMs = 50; // editors write in several steps

/** @param onChange Called with the paths that changed, once no more have changed for a moment. */
export function watchFiles(onChange: (paths: ReadonlySet<string>) => void): FileWatcher {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function addFolder(folder: string): void {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null) return;
        changed.add(join(folder, name));
        clearTimeout(timer);
        timer = setTimeout(() => {
          const paths = changed;
          changed = new Set();
          onChange(paths);
        }, quietMs);
      });
      watcher.on('error', () => watchers.delete(folder)); // the folder is gone
      watchers.set(folder, watcher);
    } catch {
      // removed: nothing changes
    }
  }

  return {
    addFolder,
    add(files) {
      for (const file of files) addFolder(dirname(file));
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
