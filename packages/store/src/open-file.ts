import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A regular file, open for reading. Close it, or read it to its end. */
export interface OpenFile {
  /** Its path in the folder `below`, without symbolic links and with slashes. */
  readonly inFolder: string;
  /** Bytes when it was opened; no more are read. */
  readonly size: number;
  /** Differs for another file and, as a rule, for one that was changed. */
  readonly version: string;
  /** Reads the content and closes the file. @throws FileChanged */
  read(): Promise<Buffer>;
  /** Reads the content up to a bound and closes the file. Cuts the rest off. */
  readStart(mostBytes: number): Promise<Buffer>;
  /**
   * Returns the content as a stream that reads a chunk when one is asked for, and closes the file
   * at its end, when it is cancelled, or when nothing refers to it any more. It fails with
   * `FileChanged`.
   */
  stream(): ReadableStream<Uint8Array>;
  /** Returns the body of a response: a small file is read at once, which costs less. */
  body(): Promise<Buffer | ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** A file became shorter while it was read: its content would not have the length announced. */
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
      const version = [stats.size, stats.mtimeNs, stats.ino].map((number) => number.toString(36)).join('-');
      return openedFile(handle, { inFolder, size: Number(stats.size), version });
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/**
 * Reads a file as `openFile` does, at once.
 *
 * @returns `undefined` if there is no such regular file, and for more than `mostBytes`.
 */
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

function openedFile(handle: FileHandle, facts: Pick<OpenFile, 'inFolder' | 'size' | 'version'>): OpenFile {
  const readStart = (mostBytes: number) =>
    readBytes(handle, Math.min(facts.size, mostBytes)).finally(() => handle.close());
  const read = () => readStart(facts.size);
  const stream = () => streamOf(handle, facts.size);
  return {
    ...facts,
    read,
    readStart,
    stream,
    body: async () => (facts.size > fileChunkBytes ? stream() : read()),
    close: () => handle.close(),
  };
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) throw shorter();
    filled += bytesRead;
  }
  return bytes;
}

// Node only warns of a file that nothing refers to any more, and later versions throw.
const abandoned = new FinalizationRegistry<FileHandle>((handle) => void handle.close().catch(() => {}));

function streamOf(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  let position = 0;
  async function close(): Promise<void> {
    abandoned.unregister(handle);
    await handle.close();
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = Buffer.allocUnsafeSlow(Math.min(fileChunkBytes, size - position));
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
          if (bytesRead === 0 && position < size) throw shorter();
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
          if (position < size) return;
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

function shorter(): FileChanged {
  return new FileChanged('The file became shorter while it was read.');
}

/**
 * Returns whether an error of a file passes by itself: the process has no descriptor left, or the
 * file is being changed.
 */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof FileChanged) return true;
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}
