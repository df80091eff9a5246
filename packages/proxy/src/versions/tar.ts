import { SocialError } from '@gantry/wire';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { createChunker } from './chunker.ts';
import { refuseOddEntries } from './tar-entries.ts';
import {
  maxFileBytes,
  maxFiles,
  maxVersionBytes,
  pathProblem,
  refuse,
  tooLargeFile,
  tooManyBytes,
  tooManyFiles,
  toVersionFile,
  toVersionList,
  type VersionFile,
  type VersionList,
} from './version-list.ts';
import { changedMeanwhile, type VersionSource } from './version-source.ts';

/**
 * Packs a version as a plain tar file, the same bytes for the same list.
 *
 * @param read Reads a chunk of the list.
 * @throws SocialError NOT_FOUND for a chunk that is not stored.
 */
export function packVersion(
  { files }: Pick<VersionList, 'files'>,
  read: (digest: string) => Promise<Uint8Array | undefined>,
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();

  async function write(): Promise<void> {
    for (const { path, size, chunks } of files) {
      const file = controller.add({ name: path, size, mtime: new Date(0) }).getWriter();
      for (const digest of chunks) {
        const bytes = await read(digest);
        if (bytes === undefined) throw new SocialError('NOT_FOUND', `A part of ${path} is not stored any more.`);
        await file.write(bytes);
      }
      await file.close();
    }
    controller.finalize();
  }

  write().catch((error: unknown) => controller.error(error));
  return readable;
}

/**
 * Reads a tar file of a version: once for the list, and again for the bytes. Other programs make
 * such a file, too, of a folder in which Gantry serves all.
 *
 * @param open Opens the file anew.
 * @throws SocialError as `toVersionList`; BAD_REQUEST for what is no tar, is cut off, or has
 * anything but plain files and folders in it.
 */
export async function readTar(open: () => AsyncIterable<Uint8Array>): Promise<VersionSource> {
  const files: VersionFile[] = [];
  let bytes = 0;
  for await (const { path, size, chunks } of entriesOf(open())) {
    if (files.length === maxFiles) throw tooManyFiles();
    bytes += size;
    if (bytes > maxVersionBytes) throw tooManyBytes();
    const digests: string[] = [];
    for await (const { digest } of chunks) digests.push(digest);
    files.push(toVersionFile({ path, size, chunks: digests }));
  }
  const list = toVersionList(files);
  const byPath = new Map(list.files.map((file) => [file.path, file]));
  return {
    list,
    async *read(digests) {
      const wanted = new Set(digests);
      for await (const { path, chunks } of entriesOf(open())) {
        let index = 0;
        for await (const { digest, bytes } of chunks) {
          if (digest !== byPath.get(path)?.chunks[index++]) throw changedMeanwhile(path);
          if (wanted.delete(digest)) yield [digest, bytes] as const;
        }
        if (wanted.size === 0) return;
      }
    },
  };
}

async function* entriesOf(pieces: AsyncIterable<Uint8Array>) {
  const tar = ReadableStream.from(refuseOddEntries(pieces));
  try {
    for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
      const { name, type, size, pax = {} } = header;
      const path = name.replace(/^(?:\.\/)+/, '');
      if (type === 'directory') {
        await body.cancel();
        continue;
      }
      const problem = pathProblem(path);
      if (problem !== undefined) throw refuse(path, problem);
      // The bytes would not be those that the guard has counted.
      if (Object.keys(pax).some((key) => key === 'size' || key.startsWith('GNU.sparse.'))) {
        throw refuse(path, 'has attributes of its own: its size or holes');
      }
      if (size > maxFileBytes) throw tooLargeFile(path);
      yield { path, size, chunks: chunksIn(body) };
    }
  } catch (cause) {
    throw noTar(cause);
  }
}

async function* chunksIn(body: ReadableStream<Uint8Array>) {
  const chunker = createChunker();
  try {
    for await (const piece of body) yield* chunker.add(piece);
  } catch (cause) {
    throw noTar(cause);
  }
  yield* chunker.end();
}

function noTar(cause: unknown): SocialError {
  if (cause instanceof SocialError) return cause;
  return new SocialError('BAD_REQUEST', 'This is no whole tar file. Make one with gantry app pack.', { cause });
}
