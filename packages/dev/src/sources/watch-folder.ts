import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

const quietMs = 20; // an editor writes in steps: empties the file, fills it, renames a copy over it
const mostFolders = 2_000;

/**
 * Tells of files that change in a folder, those of one save together, without folders that no app
 * is made of: `node_modules` and whatever begins with a dot.
 *
 * @param onChange Gets paths relative to the folder, with slashes.
 * @returns Ends it.
 */
export function watchFolder(folder: string, onChange: (paths: readonly string[]) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
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
      for (const name of namesIn(path)) changed.add(name);
    } else changed.add(path);
    timer ??= setTimeout(tell, quietMs);
  }
  function add(path: string): void {
    if (watchers.has(path) || watchers.size >= mostFolders) return;
    try {
      const watcher = watch(join(folder, path), (_event, name) => {
        if (name !== null && isOwn(name)) onEvent(path === '' ? name : `${path}/${name}`);
      });
      watcher.on('error', () => forget(path)); // removed
      watchers.set(path, watcher);
    } catch {
      return; // removed
    }
    for (const inner of foldersIn(path)) add(inner);
  }
  function forget(path: string): void {
    for (const [known, watcher] of watchers) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      watcher.close();
      watchers.delete(known);
    }
  }
  function entriesOf(path: string) {
    try {
      return readdirSync(join(folder, path), { withFileTypes: true }).filter(({ name }) => isOwn(name));
    } catch {
      return [];
    }
  }
  function foldersIn(path: string): readonly string[] {
    return entriesOf(path)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => (path === '' ? name : `${path}/${name}`));
  }
  function namesIn(path: string): readonly string[] {
    return entriesOf(path)
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${path}/${name}`);
  }

  add('');
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !name.endsWith('~');
}
