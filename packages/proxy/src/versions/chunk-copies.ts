import {
  type BlobCopies,
  type BlobPlace,
  type Bucket,
  type Database,
  factsOfBytes,
  placeOf,
  readNames,
  sql,
} from '@gantry/store';
import { isConstraint } from './chunk-store.ts';
import { markLoose } from './loose-chunks.ts';
import { digestOf } from './version-list.ts';

/** Returns the copies of the chunks of apps into a site's bucket, or out of it into the table. */
export function chunkCopies(options: {
  readonly db: Database;
  readonly bucket: Bucket;
  readonly into: 'bucket' | 'database';
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}): BlobCopies {
  const { db, bucket, into, now = Date.now } = options;
  const table = chunkTable(db);
  const place = placeOf(bucket.chunks, { isProven: true });
  const inBucket: BlobPlace = {
    ...place,
    // The mark stays: a server without the bucket may delete the row, and a sweep finds the bytes.
    async put(digest, bytes) {
      requireDigest(digest, bytes);
      await markLoose(db, digest, now());
      await place.put(digest, bytes);
    },
  };
  const [from, to] = into === 'bucket' ? [table, inBucket] : [inBucket, table];

  return {
    from,
    to,
    async count() {
      const [row] = await db.query<{ n: number }>(sql`select count(*) as n from app_chunks`);
      return Number(row?.n ?? 0);
    },
    names: () =>
      readNames(async ({ after, most }) => {
        const rows = await db.query<{ digest: string }>(sql`
          select digest from app_chunks where digest > ${after} order by digest limit ${most}`);
        return rows.map(({ digest }) => digest);
      }),
    async isNeeded(digest) {
      const rows = await db.query(sql`select chunk from app_version_chunks where chunk = ${digest} limit 1`);
      return rows.length > 0;
    },
  };
}

function chunkTable(db: Database): BlobPlace {
  async function read(digest: string): Promise<Uint8Array | undefined> {
    const [row] = await db.query<{ bytes: Uint8Array }>(sql`
      select bytes from app_chunk_bytes where digest = ${digest}`);
    return row?.bytes;
  }
  return {
    isProven: false,
    read,
    async factsOf(digest) {
      const bytes = await read(digest);
      return bytes && factsOfBytes(digest, bytes);
    },
    async put(digest, bytes) {
      requireDigest(digest, bytes);
      const stored = db.query(sql`
        insert into app_chunk_bytes (digest, bytes) select ${digest}, ${bytes}
        where exists (select 1 from app_chunks where digest = ${digest})
        on conflict (digest) do update set bytes = excluded.bytes`);
      await stored.catch((error: unknown) => {
        if (!isConstraint(error)) throw error; // the sweep deleted its row
      });
    },
    async remove(digest) {
      await db.query(sql`delete from app_chunk_bytes where digest = ${digest}`);
    },
  };
}

function requireDigest(digest: string, bytes: Uint8Array): void {
  if (digestOf(bytes) !== digest) throw new Error('its bytes have another SHA-256 than the one that names them');
}
