import { once } from 'node:events';
import { basename, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { createResaves } from './resaves.ts';

const quietMs = 20; // an editor writes in steps: empties the file, fills it, renames a copy over it

export interface WatchOptions {
  /** Compares files every 0.1 s: container mounts and network folders report no changes. */
  readonly poll?: boolean | undefined;
  /** Levels of subfolders. Default: all. */
  readonly depth?: number;
}

/**
 * Watches the files in a folder and its subfolders, except `node_modules` and names that begin with
 * a dot. Changes of one save are reported together.
 *
 * @param onChange Called with paths relative to the folder, with slashes.
 * @returns Stops watching.
 */
export async function watchFolder(
  folder: string,
  onChange: (paths: readonly string[]) => void,
  { poll = false, depth }: WatchOptions = {},
): Promise<() => Promise<void>> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    timer = undefined;
    const paths = [...changed];
    changed.clear();
    onChange(paths);
  }
  function onEvent(file: string): void {
    changed.add(relative(folder, file).replaceAll(sep, '/'));
    timer ??= setTimeout(report, quietMs);
  }

  const watcher = watch(folder, {
    usePolling: poll,
    followSymlinks: false,
    ignoreInitial: true,
    ignored: (path) => path !== folder && !isOwn(basename(path)),
    ...(depth !== undefined && { depth }),
  });
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, onEvent);
  watcher.on('error', () => {}); // a folder that cannot be read has no changes
  createResaves().follow(watcher);
  await once(watcher, 'ready');
  return () => {
    clearTimeout(timer);
    return watcher.close();
  };
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !name.endsWith('~');
}
