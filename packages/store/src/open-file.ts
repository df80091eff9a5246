import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A regular file, open for reading. Close it, or read it to its end. */
export interface OpenFile {
  /** Its path in the folder `below`, without symbolic links and with slashes. */
  readonly inFolder: string;
  /** Bytes when it was opened; no more are read. */
  readonly size: number;
  /** Differs for another file and, if that `isSettled`, for one that was changed. */
  readonly version: string;
  /** Two seconds have passed since its last change: the next one has another time. */
  readonly isSettled: boolean;
  /** Reads the content and leaves the file open. @throws FileChanged */
  chunks(): AsyncIterable<Uint8Array>;
  /** Reads the content and closes the file. @throws FileChanged */
  read(): Promise<Buffer>;
  /** Reads the content up to a bound and closes the file. Cuts the rest off. */
  readStart(mostBytes: number): Promise<Buffer>;
  /**
   * Returns the content as a stream that reads a chunk when one is asked for, and closes the file
   * at its end, when it is cancelled, or when nothing refers to it any more. It fails with
   * `FileChanged` before its last chunk.
   */
  stream(range?: ByteRange): ReadableStream<Uint8Array>;
  /** Returns the body of a response: a small one is read at once, which costs less. */
  body(range?: ByteRange): Promise<Buffer | ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** A part of a file: at least one byte, and none beyond its size. */
export interface ByteRange {
  readonly start: number;
  /** Position behind the last byte. */
  readonly end: number;
}

/** A file was changed while it was read: its content is not of one version. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';
}

/** Bytes that a stream of a file reads at a time. */
export const fileChunkBytes = 64 * 1024;

// Devices and pipes of a stranger's folder do not hold up the thread that opens them.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Errors that mean that there is no such file for this process; others pass, or are a fault. */
const missing: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EACCES',
  'EPERM',
  'ENXIO',
  'ENODEV',
  'ERR_INVALID_ARG_VALUE', // a name with NUL
]);

/**
 * Opens a file whose name or folder may come from a stranger. The kind is read from the descriptor,
 * so that no pipe or device is waited for (security rule 33).
 *
 * @param options.below Folder that must contain the file, by real paths.
 * @returns `undefined` if there is no such regular file.
 * @throws Error of the system if that cannot be known, for example `EMFILE`.
 */
export async function openFile(
  path: string,
  { below }: { readonly below?: string | undefined } = {},
): Promise<OpenFile | undefined> {
  let handle: FileHandle;
  let inFolder = path;
  try {
    if (below === undefined) handle = await open(path, flags);
    else {
      const [folder, place] = await Promise.all([realpath(below), realpath(join(below, path))]);
      const root = folder.endsWith(sep) ? folder : folder + sep;
      if (!place.startsWith(root)) return undefined;
      inFolder = place.slice(root.length).replaceAll(sep, '/');
      handle = await open(place, flags);
    }
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isFile()) {
      const { size, ino, mtimeNs, ctimeNs, ctimeMs } = stats;
      // The ctime cannot be set back, as `rsync --times` does with the other.
      const version = [size, mtimeNs, ctimeNs, ino].map((number) => number.toString(36)).join('-');
      const isSettled = Date.now() - Number(ctimeMs) > 2_000;
      return openedFile(handle, { inFolder, size: Number(size), mtimeNs, version, isSettled });
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** Reads a file as `openFile` does, at once; `undefined` if it is none, or beyond `mostBytes`. */
export function readRegularFile(path: string, mostBytes: number): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
  try {
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= mostBytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

interface Facts extends Pick<OpenFile, 'inFolder' | 'size' | 'version' | 'isSettled'> {
  readonly mtimeNs: bigint;
}

function openedFile(handle: FileHandle, { mtimeNs, ...facts }: Facts): OpenFile {
  const whole = { start: 0, end: facts.size };

  async function readAt(bytes: Buffer, position: number): Promise<number> {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
    if (bytesRead === 0 && bytes.length > 0) throw new FileChanged(changed);
    return bytesRead;
  }
  async function readBytes({ start, end }: ByteRange): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(end - start);
    for (let filled = 0; filled < bytes.length; ) filled += await readAt(bytes.subarray(filled), start + filled);
    return bytes;
  }
  // Not by ctime: a file that another one replaces is read to its end.
  async function proveUnchanged(): Promise<void> {
    const stats = await handle.stat({ bigint: true });
    if (stats.mtimeNs !== mtimeNs || Number(stats.size) !== facts.size) throw new FileChanged(changed);
  }
  async function readProven(range: ByteRange): Promise<Buffer> {
    const bytes = await readBytes(range);
    await proveUnchanged();
    return bytes;
  }
  async function* chunks({ start, end } = whole): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; ) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(fileChunkBytes, end - position));
      const bytesRead = await readAt(chunk, position);
      position += bytesRead;
      if (position >= end) await proveUnchanged();
      yield chunk.subarray(0, bytesRead);
    }
  }
  const close = () => handle.close();
  const readStart = (mostBytes: number) => readBytes({ start: 0, end: Math.min(facts.size, mostBytes) }).finally(close);
  const stream = (range = whole) => streamOf(handle, chunks(range));
  return {
    ...facts,
    chunks: () => chunks(),
    read: () => readStart(facts.size),
    readStart,
    stream,
    body: async (range = whole) =>
      range.end - range.start > fileChunkBytes ? stream(range) : readProven(range).finally(close),
    close,
  };
}

const changed = 'The file was changed while it was read.';

// Node only warns of a file that nothing refers to any more, and later versions throw.
const abandoned = new FinalizationRegistry<FileHandle>((handle) => void handle.close().catch(() => {}));

function streamOf(handle: FileHandle, chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  async function close(): Promise<void> {
    abandoned.unregister(handle);
    await handle.close();
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (!done) return controller.enqueue(value);
          await close();
          controller.close();
        } catch (error) {
          await close().catch(() => {}); // closed already
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 }, // reads nothing ahead
  );
  abandoned.register(stream, handle, handle);
  return stream;
}

/** Returns whether a file's error passes by itself: no descriptor is left, or it is changing. */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof FileChanged) return true;
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}
