import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenFile, openFile } from '@gantry/store';
import type { Gate } from '@gantry/wire/runtime';
import { LRUCache } from 'lru-cache';

/** Bytes of a cache's files. */
export const maxCachedBytes = 1024 ** 3;

/** A file that can be made anew at any time. */
export interface CacheEntry {
  /** A digest, with an ending for a compressed form. */
  readonly name: string;
  /** Runs the work for it in its turn. */
  readonly inTurn: Gate;
  /** Resolves with whether the content is that of the name. */
  isRight(file: OpenFile): Promise<boolean>;
  /** Makes the content. */
  make(): AsyncIterable<Uint8Array>;
}

interface CachedFile {
  readonly name: string;
  readonly size: number;
  readonly usedMs: number;
  readonly changedMs: number;
}

const entryName = /^[0-9a-f]{64}(?:\.(?:br|gz))?$/;
const temporaryMs = 60 * 60_000;
const tries = 3;

/**
 * Keeps files in a flat folder that any number of processes share. A file appears whole, and each
 * process reads one that it did not write to its end before it sends it: a disk may have lost or
 * changed it. Beyond `mostBytes`, those go that this process has not used for longest, after those
 * that it never used.
 *
 * @param options.folder Made when it is first needed.
 */
export function createCacheFolder(options: { readonly folder: string; readonly mostBytes?: number | undefined }) {
  const { folder, mostBytes = maxCachedBytes } = options;
  // Files as they were when they were right, in the order of their use.
  const right = new LRUCache<string, { readonly version: string; readonly size: number }>({ max: 20_000 });
  const underway = new Map<string, Promise<void>>();
  let unlisted = mostBytes; // bytes written since the folder was listed
  let isFreeing = false;

  async function openRight({ name }: CacheEntry): Promise<OpenFile | undefined> {
    const file = await openFile(join(folder, name));
    if (file && right.get(name)?.version === file.version) return file;
    await file?.close();
    return undefined;
  }

  /** Finds the file right, or writes it. */
  async function restore(entry: CacheEntry): Promise<void> {
    const file = await openFile(join(folder, entry.name));
    try {
      if (file && (await entry.isRight(file))) return learn(entry, file);
    } finally {
      await file?.close();
    }
    await write(entry);
  }

  async function write(entry: CacheEntry): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${entry.name}.${randomUUID()}.tmp`); // unlike those of other processes
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const bytes = await writeAll(handle, entry).finally(() => handle.close());
      const place = join(folder, entry.name);
      await rename(temporary, place);
      const file = await openFile(place); // a rename changes its version
      await file?.close();
      if (file) learn(entry, file);
      unlisted += bytes;
      if (unlisted >= mostBytes / 16) void freeOnce();
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  function learn({ name }: CacheEntry, { version, size }: OpenFile): void {
    right.set(name, { version, size });
  }

  async function freeOnce(): Promise<void> {
    if (isFreeing) return;
    isFreeing = true;
    await free().catch(() => {}); // the next write tries again
    isFreeing = false;
  }

  /** Deletes files until nine tenths of the bytes are left, and those of killed processes. */
  async function free(): Promise<void> {
    unlisted = 0;
    const used = new Map([...right.rkeys()].map((name, index) => [name, index]));
    const files: CachedFile[] = [];
    for (const name of await readdir(folder)) {
      const facts = await stat(join(folder, name)).catch(() => undefined); // deleted by another process
      if (facts) files.push({ name, size: facts.size, usedMs: facts.atimeMs, changedMs: facts.mtimeMs });
    }
    const old = files.filter(({ name, changedMs }) => name.endsWith('.tmp') && Date.now() - changedMs > temporaryMs);
    const entries = files.filter(({ name }) => entryName.test(name));
    const order = entries.sort((a, b) => (used.get(a.name) ?? -1) - (used.get(b.name) ?? -1) || a.usedMs - b.usedMs);
    let bytes = entries.reduce((sum, { size }) => sum + size, 0);
    const isFull = bytes > mostBytes;
    const surplus = order.filter(({ size }) => {
      const goes = isFull && bytes > 0.9 * mostBytes;
      if (goes) bytes -= size;
      return goes;
    });
    for (const { name } of [...old, ...surplus]) await rm(join(folder, name), { force: true });
  }

  return {
    /** Returns the size of a file that this process knows to be there and right. */
    sizeOf: (name: string): number | undefined => right.peek(name)?.size,
    /**
     * Opens a file, and makes it first if need be, once for all who ask meanwhile. Resolves with
     * `undefined` if other processes change or delete it each time.
     *
     * @throws Error of the system if the folder cannot be written; any error of `make`.
     */
    async open(entry: CacheEntry): Promise<OpenFile | undefined> {
      for (let tried = 0; tried < tries; tried += 1) {
        const file = await openRight(entry);
        if (file) return file;
        const restored =
          underway.get(entry.name) ?? entry.inTurn(() => restore(entry)).finally(() => underway.delete(entry.name));
        underway.set(entry.name, restored);
        await restored;
      }
      return undefined;
    },
  };
}

async function writeAll(handle: FileHandle, entry: CacheEntry): Promise<number> {
  let bytes = 0;
  for await (const piece of entry.make()) {
    await handle.writeFile(piece); // goes on where the last one ended
    bytes += piece.length;
  }
  return bytes;
}
