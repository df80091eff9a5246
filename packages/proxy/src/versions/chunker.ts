import { chunkBytes, digestOf } from './version-list.ts';

export interface Chunk {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Cuts the content of one file, which comes in pieces of any size, into its chunks. */
export function createChunker(): { add(piece: Uint8Array): Generator<Chunk>; end(): Generator<Chunk> } {
  let chunk = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let count = 0;

  function take(): Chunk {
    const bytes = chunk.subarray(0, filled);
    chunk = Buffer.allocUnsafe(chunkBytes);
    filled = 0;
    count += 1;
    return { digest: digestOf(bytes), bytes };
  }

  return {
    *add(piece) {
      for (let at = 0; at < piece.length; ) {
        const part = piece.subarray(at, at + chunkBytes - filled);
        chunk.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === chunkBytes) yield take();
      }
    },
    *end() {
      if (filled > 0 || count === 0) yield take();
    },
  };
}
