import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { ByteRange, OpenFile } from '@gantry/store';
import { createGate } from '@gantry/wire/runtime';
import type { KnownFile } from '../http/file-responses.ts';
import { isWorthPacking, mostUnderway, type PackedCoding, packBytes } from '../http/packed-files.ts';
import type { Ports } from '../ports.ts';
import { type CacheEntry, createCacheFolder } from './cache-folder.ts';
import type { ChunkStore } from './chunk-store.ts';
import { createChunker } from './chunker.ts';
import { chunkBytes, digestOf, type VersionFile } from './version-list.ts';

/** Serves files of versions from a folder of this machine. */
export interface FileCache {
  /** Returns a file that is read from its chunks only if the folder does not have it. */
  fileOf(file: VersionFile): KnownFile;
  /** Deletes a folder of its own. */
  close(): void;
}

/** Files that are read from their chunks, or checked, at the same time. */
const fetchedAtOnce = 4;
/** Files that are compressed at the same time, on half of Node's threads for files. */
const packedAtOnce = 2;
/** Time without the folder after it could not be written. */
const withoutFolderMs = 60_000;

const endings = { br: 'br', gzip: 'gz' } as const;
const unpackBrotli = promisify(brotliDecompress);
const unzip = promisify(gunzip);

/**
 * Keeps whole files by their digests, each once for all versions and processes, with its compressed
 * forms beside it. As long as the folder cannot be written, files come from their chunks.
 *
 * @param options.folder Shared by the processes of this machine. Default: a temporary one.
 * @param options.mostBytes Default: 1 GiB.
 */
export function createFileCache(
  options: Pick<Ports, 'now' | 'log'> & {
    readonly chunks: Pick<ChunkStore, 'read'>;
    readonly folder?: string | undefined;
    readonly mostBytes?: number | undefined;
  },
): FileCache {
  const { chunks, mostBytes, now, log } = options;
  const isTemporary = options.folder === undefined;
  const folder = options.folder ?? join(tmpdir(), `gantry-files-${randomUUID()}`);
  const kept = createCacheFolder({ folder, mostBytes });
  const fetchInTurn = createGate({ atOnce: fetchedAtOnce });
  const packInTurn = createGate({ atOnce: packedAtOnce });
  const packing = new Set<string>();
  let withoutFolderUntilMs = 0;

  async function readChunk(digest: string): Promise<Uint8Array> {
    const bytes = await chunks.read(digest);
    if (bytes && digestOf(bytes) === digest) return bytes;
    throw new Error(`The chunk ${digest} is ${bytes ? 'damaged' : 'missing'}.`);
  }

  async function* readChunks(file: VersionFile): AsyncGenerator<Uint8Array> {
    for (const digest of file.chunks) yield await readChunk(digest);
  }

  /** Resolves with `undefined` if the folder cannot be used now. */
  async function openKept(entry: CacheEntry): Promise<OpenFile | undefined> {
    if (now() < withoutFolderUntilMs) return undefined;
    try {
      return await kept.open(entry);
    } catch (err) {
      if (!isFault(err)) throw err;
      withoutFolderUntilMs = now() + withoutFolderMs;
      log.error({ err, folder }, 'the cache of app files cannot be written: files come from the database');
      return undefined;
    }
  }

  function openPlain(file: VersionFile): Promise<OpenFile | undefined> {
    return openKept({
      name: file.digest,
      inTurn: fetchInTurn,
      isRight: async (opened) => opened.size === file.size && (await hasContent(file, opened.chunks())),
      make: () => readChunks(file),
    });
  }

  async function openPacked(file: VersionFile, coding: PackedCoding): Promise<OpenFile | undefined> {
    const name = packedName(file, coding);
    const isKept = kept.sizeOf(name) !== undefined || packing.has(name);
    if (!isWorthPacking(file.size) || (!isKept && packing.size >= mostUnderway)) return undefined;
    if (!isKept) packing.add(name);
    try {
      const opened = await openKept({
        name,
        inTurn: packInTurn,
        isRight: (found) => isPackedForm(file, coding, found),
        make: () => pack(file, coding),
      });
      if (opened?.size !== 0) return opened;
      await opened.close();
      return undefined;
    } finally {
      if (!isKept) packing.delete(name);
    }
  }

  /** Yields nothing for a content that would not be smaller. */
  async function* pack(file: VersionFile, coding: PackedCoding): AsyncGenerator<Uint8Array> {
    const plain = await openPlain(file);
    const content = plain ? await plain.read() : await joined(readChunks(file));
    const packed = await packBytes(content, coding);
    if (packed.length < content.length) yield packed;
  }

  /** Streams a file without the folder. */
  function streamChunks({ chunks: digests, size }: VersionFile, range: ByteRange = { start: 0, end: size }) {
    let { start } = range;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (start >= range.end) return controller.close();
          const index = Math.floor(start / chunkBytes);
          const bytes = await readChunk(digests[index] as string);
          const from = index * chunkBytes;
          controller.enqueue(bytes.subarray(start - from, range.end - from));
          start = from + chunkBytes;
        },
      },
      { highWaterMark: 0 },
    );
  }

  return {
    fileOf: (file) => ({
      contentType: file.type,
      size: file.size,
      digest: file.digest,
      async body(range) {
        const opened = await openPlain(file);
        return opened ? opened.body(range) : streamChunks(file, range);
      },
      sizeOfPacked: (coding) => kept.sizeOf(packedName(file, coding)),
      openPacked: (coding) => openPacked(file, coding),
    }),
    close() {
      if (isTemporary) rmSync(folder, { recursive: true, force: true }); // at once: the process may end now
    },
  };
}

function packedName({ digest }: VersionFile, coding: PackedCoding): string {
  return `${digest}.${endings[coding]}`;
}

async function hasContent(
  { chunks }: VersionFile,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<boolean> {
  const chunker = createChunker();
  let index = 0;
  for await (const piece of pieces) {
    for (const { digest } of chunker.add(piece)) if (digest !== chunks[index++]) return false;
  }
  for (const { digest } of chunker.end()) if (digest !== chunks[index++]) return false;
  return index === chunks.length;
}

async function isPackedForm(file: VersionFile, coding: PackedCoding, opened: OpenFile): Promise<boolean> {
  if (opened.size === 0) return true;
  if (opened.size >= file.size) return false;
  const packed = await joined(opened.chunks());
  const options = { maxOutputLength: file.size };
  const content = await (coding === 'br' ? unpackBrotli(packed, options) : unzip(packed, options)).catch(
    () => undefined,
  );
  return content !== undefined && hasContent(file, [content]);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Returns whether an error is one of the file system. */
function isFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
