/**
 * Returns whether a body consists of too many small chunks: more than 1,024, and of less than 64
 * bytes on average. Each chunk costs time and memory of its own, however small it is (security rule
 * 34).
 */
export function isTooFine({ chunks, bytes }: { readonly chunks: number; readonly bytes: number }): boolean {
  return chunks > 1_024 + bytes / 64;
}

export interface JoinOptions {
  /** Accepts chunks of any size, from a server that is trusted not to flood. Default: false. */
  readonly fine?: boolean;
}

const noBytes: Uint8Array = new Uint8Array();
const firstBlock = 4_096;

/** Joins at most `mostBytes` in chunks; many small ones hold no more memory than few large ones. */
export function joinBytes(mostBytes: number, { fine = false }: JoinOptions = {}) {
  let block = noBytes; // the single chunk, or a larger copy of all chunks
  let size = 0;
  let chunks = 0;

  return {
    get size(): number {
      return size;
    },
    /** Appends a chunk; returns false, and keeps nothing of it, beyond the bounds. */
    add(chunk: Uint8Array): boolean {
      const bytes = size + chunk.byteLength;
      chunks++;
      if (bytes > mostBytes || (!fine && isTooFine({ chunks, bytes }))) return false;
      if (size === 0) block = chunk;
      else {
        if (bytes > block.byteLength) {
          const joined = new Uint8Array(Math.min(mostBytes, Math.max(2 * bytes, firstBlock)));
          joined.set(block.subarray(0, size));
          block = joined;
        }
        block.set(chunk, size);
      }
      size = bytes;
      return true;
    },
    /** Returns all bytes. They may share memory with the only chunk. */
    bytes: (): Uint8Array => block.subarray(0, size),
  };
}

/** Reads a body. Beyond the bounds, leaves the rest unread and resolves with `undefined`. */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
  options?: JoinOptions,
): Promise<Uint8Array | undefined> {
  const joined = joinBytes(mostBytes, options);
  if (body === null) return noBytes;
  for await (const chunk of body) if (!joined.add(chunk)) return undefined; // leaving the loop cancels the stream
  return joined.bytes();
}

/**
 * Joins chunks to blocks of at least `blockBytes`; the last one may be smaller. Holds one.
 *
 * @throws RangeError if the chunks are too small (`isTooFine`).
 */
export async function* joinChunks(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  const total = { chunks: 0, bytes: 0 };
  let joined = joinBytes(Number.POSITIVE_INFINITY, { fine: true });
  for await (const chunk of source) {
    total.chunks++;
    total.bytes += chunk.byteLength;
    if (isTooFine(total)) throw new RangeError('Too many small chunks.');
    joined.add(chunk);
    if (joined.size < blockBytes) continue;
    yield joined.bytes();
    joined = joinBytes(Number.POSITIVE_INFINITY, { fine: true });
  }
  if (joined.size > 0) yield joined.bytes();
}
