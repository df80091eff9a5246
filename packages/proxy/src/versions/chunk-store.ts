import { type Blobs, type Bucket, type Database, StoreError, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { beingRemoved, markLoose, notRemoving } from './loose-chunks.ts';
import { chunkBytes, digestOf, isDigest } from './version-list.ts';

/** Keeps the bytes of apps' files, each chunk once. */
export interface ChunkStore {
  /** Returns which chunks are not stored. The others stay for another day. */
  missing(digests: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores a chunk; one that is stored stays for another day.
   *
   * @throws SocialError BAD_REQUEST for bytes with another digest, TOO_LARGE beyond 256 KiB,
   * STORAGE_FULL beyond the bytes of a site, UNAVAILABLE while a bucket removes it.
   */
  put(digest: string, bytes: Uint8Array): Promise<void>;
  /** Resolves with `undefined` for a chunk that is not stored. */
  read(digest: string): Promise<Uint8Array | undefined>;
}

/** Bytes of all chunks of a site. */
export const maxStoredBytes = 2 * 1024 * 1024 * 1024;
/** Bytes that a chunk counts at least, since its row costs that much. */
const leastBytes = 4_096;

// Chunks are kept for a day. Writing the time less often is enough, and most pushes write none.
const touchEveryMs = 60 * 60_000;
// The sum reads every row, so it is not made for each chunk.
const countEveryMs = 1_000;

/**
 * Keeps chunks in the proxy's own tables, or their bytes in a bucket. Bytes from before the bucket
 * are read from the table.
 */
export function createChunkStore(options: {
  readonly db: Database;
  readonly bucket?: Bucket | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Default: 2 GiB. */
  readonly mostBytes?: number;
}): ChunkStore {
  const { db, now = Date.now, mostBytes = maxStoredBytes } = options;
  const blobs = options.bucket?.chunks;
  // Without its bucket a site has no bytes of chunks that are there: they are sent again.
  const isReadable = blobs
    ? sql.empty
    : sql`and exists (select 1 from app_chunk_bytes where app_chunk_bytes.digest = app_chunks.digest)`;
  let counted = { bytes: 0, atMs: Number.NEGATIVE_INFINITY };
  let underway = 0;

  async function missing(digests: readonly string[]): Promise<readonly string[]> {
    if (digests.length === 0) return [];
    const [nowMs, among] = [now(), sql`digest in (${sql.list(digests)})`];
    const recent = nowMs - touchEveryMs;
    // Only those that nothing deletes for a day are stored: the sweeper may be at work meanwhile.
    const [, kept = []] = await db.batch([
      sql`update app_chunks set seen_at_ms = ${nowMs} where ${among} and seen_at_ms < ${recent}`,
      sql`select digest from app_chunks where ${among} and seen_at_ms >= ${recent} ${isReadable}`,
    ]);
    const stored = new Set(kept.map(({ digest }) => digest));
    return digests.filter((digest) => !stored.has(digest));
  }

  /** Does work that stores bytes, if there is room beside all other such work of this process. */
  async function inRoomOf(size: number, work: () => Promise<unknown>): Promise<void> {
    if (now() - counted.atMs >= countEveryMs || counted.bytes + underway + size > mostBytes) {
      counted = { bytes: await storedBytes(db), atMs: now() };
    }
    if (counted.bytes + underway + size > mostBytes) {
      const message = `The files of all apps have at most ${mostBytes} bytes here. Ask the site's owner to remove old versions.`;
      throw new SocialError('STORAGE_FULL', message);
    }
    underway += size;
    try {
      await work();
      counted = { ...counted, bytes: counted.bytes + size };
    } finally {
      underway -= size;
    }
  }

  /** Puts bytes into the bucket, and their row after them: a row has bytes. */
  async function putBlob(blobs: Blobs, digest: string, bytes: Uint8Array): Promise<void> {
    await markLoose(db, digest, now());
    await blobs.put(digest, bytes);
    await db.batch([
      sql`
        insert into app_chunks (digest, size, seen_at_ms) select ${digest}, ${bytes.length}, ${now()}
        where ${notRemoving(digest)}
        on conflict (digest) do update set seen_at_ms = excluded.seen_at_ms`,
      sql`delete from app_loose_chunks where digest = ${digest} and removing_at_ms is null`,
    ]);
    if ((await missing([digest])).length > 0) throw beingRemoved();
  }

  return {
    missing,
    async put(digest, bytes) {
      if (bytes.length > chunkBytes) throw new SocialError('TOO_LARGE', `A chunk has at most ${chunkBytes} bytes.`);
      if (!isDigest(digest) || digestOf(bytes) !== digest) {
        throw new SocialError('BAD_REQUEST', 'These bytes have another SHA-256 than the one that names them.');
      }
      if ((await missing([digest])).length === 0) return;
      const counts = Math.max(bytes.length, leastBytes);
      if (blobs) return inRoomOf(counts, () => putBlob(blobs, digest, bytes));
      const nowMs = now();
      const statements = [
        sql`
          insert into app_chunks (digest, size, seen_at_ms) values (${digest}, ${bytes.length}, ${nowMs})
          on conflict (digest) do update set seen_at_ms = excluded.seen_at_ms`,
        sql`insert into app_chunk_bytes (digest, bytes) values (${digest}, ${bytes}) on conflict (digest) do nothing`,
      ];
      await inRoomOf(counts, () => db.batch(statements));
    },
    async read(digest) {
      const [row] = await db.query<{ bytes: Uint8Array }>(
        sql`select bytes from app_chunk_bytes where digest = ${digest}`,
      );
      if (row || !blobs) return row?.bytes;
      return (await blobs.open(digest, { mostBytes: chunkBytes }))?.read();
    },
  };
}

/** Returns the bytes that a site's chunks count. */
export async function storedBytes(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(case when size < ${leastBytes} then ${leastBytes} else size end), 0) as bytes from app_chunks`);
  return row?.bytes ?? 0;
}

/** Returns whether a transaction failed since a row would have broken a rule of its table. */
export function isConstraint(error: unknown): error is StoreError {
  return error instanceof StoreError && error.reason === 'constraint';
}
