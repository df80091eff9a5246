import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createGate } from '@gantry/wire/runtime';
import { LRUCache } from 'lru-cache';
import type { Coding } from './accepted-codings.ts';

export type PackedCoding = Exclude<Coding, 'identity'>;

interface Content {
  readonly digest: string;
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

const fewestBytes = 512; // smaller files fit into one packet
const mostBytes = 8 * 1024 * 1024;
/** Contents that wait to be compressed, or are being; others are sent as they are. */
export const mostUnderway = 16;
const thoroughBytes = 128 * 1024; // the best quality takes 0.15 s for these, and 7 s for 3 MB

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Compresses each content once. Two are compressed at a time, on half of Node's threads for files;
 * with 16 underway, others are not compressed.
 *
 * @param options.keptBytes Bytes that are kept; the least recently used contents go.
 */
export function createPackedFiles({ keptBytes = 64 * 1024 * 1024 } = {}) {
  const cache = new LRUCache<string, Uint8Array>({ maxSize: keptBytes, sizeCalculation: ({ length }) => length + 500 });
  const underway = new Map<string, Promise<Uint8Array>>();
  const inTurn = createGate({ atOnce: 2 });

  return {
    /** Returns a compressed content that is kept; an empty one would not be smaller. */
    find: ({ digest }: Pick<Content, 'digest'>, coding: PackedCoding): Uint8Array | undefined =>
      cache.get(`${digest}-${coding}`),
    /**
     * Resolves as `find` does, once the content is compressed; with `undefined` if it is too small
     * or large, or would wait for long.
     */
    async make({ digest, size, read }: Content, coding: PackedCoding): Promise<Uint8Array | undefined> {
      const key = `${digest}-${coding}`;
      const existing = cache.get(key) ?? underway.get(key);
      if (existing !== undefined) return existing;
      if (!isWorthPacking(size) || underway.size >= mostUnderway) return undefined;
      const made = inTurn(async () => {
        const packed = await packBytes(await read(), coding);
        const smaller = packed.length < size ? packed : new Uint8Array();
        cache.set(key, smaller);
        return smaller;
      }).finally(() => underway.delete(key));
      underway.set(key, made);
      return made;
    },
  };
}

/** Returns whether a content of this size is compressed. */
export function isWorthPacking(size: number): boolean {
  return size >= fewestBytes && size <= mostBytes;
}

export function packBytes(content: Uint8Array, coding: PackedCoding): Promise<Uint8Array> {
  return coding === 'br' ? brotli(content, qualityFor(content.length)) : zip(content, { level: 9 });
}

function qualityFor(size: number) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: size > thoroughBytes ? 9 : 11, [BROTLI_PARAM_SIZE_HINT]: size } };
}
