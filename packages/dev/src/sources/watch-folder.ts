import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

const quietMs = 20; // an editor writes in steps: empties the file, fills it, renames a copy over it
const mostFolders = 2_000;

/**
 * Watches the files in a folder and its subfolders, except `node_modules` and names that begin with
 * a dot. Changes of one save are reported together.
 *
 * @param onChange Called with paths relative to the folder, with slashes.
 * @returns Stops watching.
 */
export function watchFolder(folder: string, onChange: (paths: readonly string[]) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function report(): void {
    timer = undefined;
    const paths = [...changed];
    changed.clear();
    onChange(paths);
  }
  function onEvent(path: string): void {
    const isFolder = statSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() ?? watchers.has(path);
    if (isFolder) {
      forget(path);
      add(path);
      for (const file of pathsIn(path, 'isFile')) changed.add(file);
    } else changed.add(path);
    timer ??= setTimeout(report, quietMs);
  }
  function add(path: string): void {
    if (watchers.has(path) || watchers.size >= mostFolders) return;
    try {
      const watcher = watch(join(folder, path), (_event, name) => {
        if (name !== null && isOwn(name)) onEvent(pathOf(path, name));
      });
      watcher.on('error', () => forget(path)); // removed
      watchers.set(path, watcher);
    } catch {
      return; // removed
    }
    for (const inner of pathsIn(path, 'isDirectory')) add(inner);
  }
  function forget(path: string): void {
    for (const [known, watcher] of watchers) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      watcher.close();
      watchers.delete(known);
    }
  }
  function pathsIn(path: string, kind: 'isFile' | 'isDirectory'): readonly string[] {
    try {
      const entries = readdirSync(join(folder, path), { withFileTypes: true });
      const own = entries.filter((entry) => isOwn(entry.name) && entry[kind]());
      return own.map(({ name }) => pathOf(path, name));
    } catch {
      return []; // removed
    }
  }

  add('');
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

function pathOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !name.endsWith('~');
}
