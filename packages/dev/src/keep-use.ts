import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunUse, type Record, type RunUseCollector } from '@gantry/lab';
import { manifestPath } from '@gantry/lab/host';
import { isForAuthors } from '@gantry/proxy';
import type { AppFolder } from './app-folder.ts';

const folderName = '.gantry';
const fileName = 'last-run.json';
const isCode = /\.(html?|[cm]?[jt]sx?|vue|svelte|css)$|^gadget\.json$/;

/**
 * Listens to a record until it is closed. A file is written whole or not at all, and at most once
 * in `pauseMs`. A run goes on without a folder that cannot be written to.
 *
 * @param options.apps Apps that the run shows.
 * @param options.later Calls a function after some milliseconds; returns one that prevents it.
 */
export function keepUse(options: {
  readonly record: Record;
  readonly apps: () => readonly AppFolder[];
  readonly pauseMs?: number;
  readonly later?: (work: () => void, ms: number) => () => void;
}) {
  const { record, apps, pauseMs = 500, later = afterTimeout } = options;
  const collectors = new Map<string, RunUseCollector>();
  const changed = new Set<string>();
  let cancel: (() => void) | undefined;
  let writing = Promise.resolve();

  const forget = record.subscribe((entry) => {
    if (entry.app === undefined || !apps().some(({ id }) => id === entry.app)) return;
    const collector = collectors.get(entry.app) ?? createRunUse(entry.app);
    collectors.set(entry.app, collector);
    if (!collector.add(entry)) return;
    changed.add(entry.app);
    cancel ??= later(() => void flush(), pauseMs);
  });

  /** Resolves when all entries so far are written. */
  function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    writing = writing.then(writeChanged);
    return writing;
  }

  async function writeChanged(): Promise<void> {
    const due = apps().filter(({ id }) => changed.delete(id));
    for (const { id, folder } of due) {
      await write(folder, collectors.get(id) as RunUseCollector).catch(() => {});
    }
  }

  return {
    /** Begins anew if a changed file of an app is its manifest or code. */
    changed(app: string, path: string): void {
      if (!isCode.test(path) || /(^|\/)\./.test(path) || isForAuthors(path)) return;
      collectors.delete(app);
      changed.delete(app);
    },
    flush,
    /** Stops listening and writes the rest. */
    async close(): Promise<void> {
      forget();
      await flush();
    },
  };
}

async function write(folder: string, collector: RunUseCollector): Promise<void> {
  const manifest = await readFile(manifestPath(folder));
  const use = collector.use(createHash('sha256').update(manifest).digest('hex'));
  const target = join(folder, folderName);
  await mkdir(target, { recursive: true, mode: 0o700 });
  // A symbolic link of a foreign app must not choose the file to write.
  if (!(await lstat(target)).isDirectory()) throw new Error(`${target} is no folder.`);
  await writeFile(join(target, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);
  const draft = join(target, `${fileName}.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, `${JSON.stringify(use, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    await rename(draft, join(target, fileName));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function afterTimeout(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
