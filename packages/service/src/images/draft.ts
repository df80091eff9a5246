import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenNew } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { joinChunks } from '@gantry/wire/runtime';
import { imageError, storageFailure } from './image-error.ts';

/** Received file without a final name yet. */
export interface Draft {
  readonly path: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string;
  readonly head: Uint8Array;
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** Folder of the drafts, created if missing. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly openNew: OpenNew;
}

/** Bytes that are hashed and written at a time, however small the chunks are that arrive. */
const blockBytes = 64 * 1024;

/**
 * Writes a stream into a file, chunk by chunk. On failure the file is removed.
 *
 * @throws SocialError TOO_LARGE, BAD_REQUEST for a truncated or empty stream, STORAGE_FULL
 */
export async function receiveDraft(
  source: AsyncIterable<Uint8Array>,
  { folder, maxBytes, openNew: create }: ReceiveOptions,
): Promise<Draft> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const discard = () => rm(path, { force: true });
  const file = await create(path).catch((error: unknown) => Promise.reject(storageFailure(error)));
  try {
    const hash = createHash('sha256');
    const head = Buffer.alloc(16);
    let size = 0;
    for await (const chunk of joinChunks(whole(source), blockBytes)) {
      if (size + chunk.length > maxBytes) throw tooLarge(maxBytes);
      if (size < head.length) head.set(chunk.subarray(0, head.length - size), size);
      size += chunk.length;
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.close();
    if (size === 0) throw imageError('image_empty', 'The file is empty.');
    return { path, digest: hash.digest('hex'), head: head.subarray(0, size), discard };
  } catch (error) {
    await file.close().catch(() => {}); // already closed, or the disk is full
    await discard();
    if (error instanceof RangeError) throw imageError('image_incomplete', 'The file came in too many small parts.');
    throw storageFailure(error);
  }
}

export function tooLarge(maxBytes: number): SocialError {
  return imageError('image_too_large', `A photo has at most ${Math.floor(maxBytes / 2 ** 20)} MB here.`);
}

async function* whole(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    if (cause instanceof SocialError) throw cause; // the sender's own reason, for example too slow
    throw imageError('image_incomplete', 'The file did not arrive as a whole.', { cause });
  }
}

/** Removes drafts without recent writes: a killed process left them. */
export async function removeStaleDrafts(folder: string, { beforeMs }: { readonly beforeMs: number }): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < beforeMs) await rm(path, { force: true });
  }
}
