import { hash } from 'node:crypto';
import { SocialError } from '@gantry/wire';
import { contentTypeOf } from '../apps/content-types.ts';
import { isServed } from '../apps/served-files.ts';

/** A file of a version. Its bytes are chunks, each named by its own digest. */
export interface VersionFile {
  /** Path in the folder, with slashes, in NFC; one that Gantry serves. */
  readonly path: string;
  /** SHA-256 of its only chunk, or of the digests of its chunks in order. */
  readonly digest: string;
  readonly type: string;
  readonly size: number;
  /** SHA-256 of each 256 KiB in order; an empty file has one empty chunk. */
  readonly chunks: readonly string[];
}

/** The files of one version, which its digest names. */
export interface VersionList {
  /** SHA-256 of paths, digests, types and sizes. */
  readonly digest: string;
  /** Sorted by path, in the order of UTF-16 code units. */
  readonly files: readonly VersionFile[];
  readonly bytes: number;
}

/** Bytes of a chunk; only the last one of a file has fewer. */
export const chunkBytes = 256 * 1024;
export const maxFiles = 2_000;
export const maxFileBytes = 25 * 1024 * 1024;
export const maxVersionBytes = 50 * 1024 * 1024;
/** UTF-16 code units of a path. */
export const maxPathLength = 512;
/** File with the manifest, which every version has. */
export const manifestPath = 'gadget.json';

/** Returns the SHA-256 of bytes or ASCII text, as 64 hexadecimal digits. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

export function isDigest(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** Returns the bytes of each chunk of a file. */
export function chunkSizes(size: number): readonly number[] {
  const count = Math.max(1, Math.ceil(size / chunkBytes));
  return Array.from({ length: count }, (_, index) => Math.min(chunkBytes, size - index * chunkBytes));
}

/** Describes a file by its path and the digests of its chunks. */
export function toVersionFile({ path, size, chunks }: Pick<VersionFile, 'path' | 'size' | 'chunks'>): VersionFile {
  const [only = ''] = chunks;
  const digest = chunks.length === 1 ? only : digestOf(chunks.join(''));
  return { path, digest, type: contentTypeOf(path), size, chunks };
}

/**
 * Validates a list of files and names it by its digest. Every bound is checked before the work
 * that it bounds (security rule 25).
 *
 * @param files Parsed JSON, in any order.
 * @throws SocialError TOO_LARGE beyond a bound, BAD_REQUEST for any other fault.
 */
export function toVersionList(files: unknown): VersionList {
  if (!Array.isArray(files)) throw new SocialError('BAD_REQUEST', 'A version is a list of files.');
  if (files.length > maxFiles) throw tooManyFiles();
  const byPath = new Map<string, VersionFile>();
  const sizes = new Map<string, number>();
  let bytes = 0;
  for (const [index, item] of files.entries()) {
    const file = checkFile(item, index);
    if (byPath.has(file.path)) throw refuse(file.path, 'is in the list twice');
    bytes += file.size;
    if (bytes > maxVersionBytes) throw tooManyBytes();
    for (const [at, size] of chunkSizes(file.size).entries()) {
      const chunk = file.chunks[at] as string;
      if ((sizes.get(chunk) ?? size) !== size) throw refuse(file.path, 'has a chunk that has another size elsewhere');
      sizes.set(chunk, size);
    }
    byPath.set(file.path, file);
  }
  if (byPath.get(manifestPath)?.chunks.length !== 1) {
    throw new SocialError('BAD_REQUEST', `A version has a ${manifestPath} of at most ${chunkBytes} bytes.`);
  }
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const named = sorted.map(({ path, digest, type, size }) => [path, digest, type, size]);
  return { digest: digestOf(JSON.stringify(named)), files: sorted, bytes };
}

/** Returns the digests of all chunks, each once, with its size. */
export function chunksOf({ files }: Pick<VersionList, 'files'>): ReadonlyMap<string, number> {
  return new Map(
    files.flatMap(({ size, chunks }) => chunkSizes(size).map((bytes, index) => [chunks[index] as string, bytes])),
  );
}

/**
 * Returns the fault of a path as the end of a sentence, or `undefined`. A version has the files
 * that Gantry serves, under the one form of their names that every system writes alike.
 */
export function pathProblem(path: string): string | undefined {
  if (path.length > maxPathLength) return `has a path of more than ${maxPathLength} characters`;
  if (!path.isWellFormed()) return 'has half a character in its name';
  if (path !== path.normalize('NFC')) return 'has a name that is not in NFC (composed characters)';
  return isServed(path) ? undefined : 'is no file that Gantry serves';
}

/** Returns the error for a file, named by its path. */
export function refuse(path: string, problem: string, code: 'BAD_REQUEST' | 'TOO_LARGE' = 'BAD_REQUEST'): SocialError {
  const name = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return new SocialError(code, `${JSON.stringify(name)} ${problem}.`);
}

export function tooManyFiles(): SocialError {
  return new SocialError('TOO_LARGE', `A version has at most ${maxFiles} files.`);
}

export function tooManyBytes(): SocialError {
  return new SocialError('TOO_LARGE', `A version has at most ${maxVersionBytes} bytes.`);
}

export function tooLargeFile(path: string): SocialError {
  return refuse(path, `has more than ${maxFileBytes} bytes`, 'TOO_LARGE');
}

function checkFile(item: unknown, index: number): VersionFile {
  const { path, digest, type, size, chunks } = (item ?? {}) as Readonly<Record<keyof VersionFile, unknown>>;
  if (typeof path !== 'string') throw new SocialError('BAD_REQUEST', `File ${index + 1} of the list has no path.`);
  const problem = pathProblem(path);
  if (problem !== undefined) throw refuse(path, problem);
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw refuse(path, 'has no size in bytes');
  if (size > maxFileBytes) throw tooLargeFile(path);
  const count = chunkSizes(size).length;
  if (!Array.isArray(chunks) || chunks.length !== count || !chunks.every(isDigest)) {
    throw refuse(path, `needs the digests of ${count} chunks, SHA-256 in hexadecimal digits`);
  }
  const file = toVersionFile({ path, size, chunks: [...chunks] });
  if (type !== file.type) throw refuse(path, `has the type ${file.type} here`);
  if (digest !== file.digest) throw refuse(path, 'has a digest that is not that of its chunks');
  return file;
}
