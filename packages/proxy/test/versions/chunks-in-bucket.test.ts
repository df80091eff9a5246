import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChunkStore, chunkCopies, createChunkStore, sweepVersions } from '@gantry/proxy';
import { type Blobs, type Bucket, copyBlob, createFolderBlobs, type Database, openBucket, sql } from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { useBucketServer } from '../../../store/test/blobs/bucket-server.ts';
import { claimMs, looseMs } from '../../src/versions/loose-chunks.ts';
import { chunkBytes, digestOf } from '../../src/versions/version-list.ts';
import { least, openVersions } from './versions.ts';

useBucketServer();

const day = 24 * 60 * 60_000;
const bytes = Buffer.from('a chunk');
const digest = digestOf(bytes);

async function folderBucket(): Promise<Bucket> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-chunks-'));
  return { media: createFolderBlobs(join(folder, 'media')), chunks: createFolderBlobs(join(folder, 'chunks')) };
}

const places: readonly { readonly place: string; readonly openPlace: () => Promise<Bucket | undefined> }[] = [
  { place: 'its tables', openPlace: async () => undefined },
  { place: 'a folder', openPlace: folderBucket },
  { place: 'a bucket', openPlace: () => openBucket({ name: 'spare', prefix: `${randomUUID()}/` }) },
];
const everywhere = databases.flatMap((database) => places.map((place) => ({ ...database, ...place })));

describe.each(everywhere)('chunks of $name in $place (ADR 95)', ({ open, openPlace }) => {
  async function openChunks(options: { mostBytes?: number } = {}) {
    const bucket = await openPlace();
    const world = await openVersions(open, { ...options, ...(bucket && { bucket }) });
    const sweep = () => sweepVersions({ db: world.db, bucket, now: world.now, kept: 0 });
    return { ...world, bucket, sweep };
  }

  test('a chunk is missing, then stored once, then read', async () => {
    const { chunks, count } = await openChunks();
    expect([await chunks.missing([digest]), await chunks.read(digest)]).toEqual([[digest], undefined]);
    await Promise.all([chunks.put(digest, bytes), chunks.put(digest, bytes)]);
    await chunks.put(digest, bytes);
    expect(await chunks.missing([digest])).toEqual([]);
    expect(Buffer.from((await chunks.read(digest)) ?? [])).toEqual(bytes);
    expect([await count('app_chunks'), await count('app_loose_chunks')]).toEqual([1, 0]);
  });

  test('bounds are those of the tables', async () => {
    const { chunks } = await openChunks({ mostBytes: 8_192 });
    await expect(chunks.put(digest, Buffer.from('other'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const large = Buffer.alloc(chunkBytes + 1);
    await expect(chunks.put(digestOf(large), large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    for (const text of ['1', '2']) await chunks.put(digestOf(Buffer.from(text)), Buffer.from(text));
    await expect(chunks.put(digest, bytes)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  test('a version is stored, and swept with all of its bytes', async () => {
    const { push, count, clock, sweep, bucket, db, chunks } = await openChunks();
    const { digest: pushed } = await push(least);
    const rows = await expectWhole(db, chunks);
    expect([pushed.length, rows.length]).toEqual([64, 2]);
    expect(await count('app_chunk_bytes')).toBe(bucket ? 0 : 2);
    clock.nowMs += 2 * day;
    await sweep();
    expect([await count('app_versions'), await count('app_chunks')]).toEqual([0, 0]);
    for (const row of rows) expect((await bucket?.chunks.sizeOf(row.digest)) ?? 0).toBe(bucket ? row.size : 0);
    clock.nowMs += looseMs + 1;
    await sweep();
    for (const row of rows) expect(await bucket?.chunks.sizeOf(row.digest)).toBeUndefined();
    expect(await count('app_loose_chunks')).toBe(0);
  });
});

describe.each(databases)('a bucket beside $name, push and sweep (ADR 95)', ({ open }) => {
  /** Opens chunks in a folder, with steps before and after each put and removal there. */
  async function openSteps() {
    const { chunks: blobs, media } = await folderBucket();
    const steps: Partial<Record<'beforePut' | 'afterPut' | 'beforeRemove' | 'afterRemove', () => Promise<unknown>>> =
      {};
    const once = async (step: keyof typeof steps): Promise<void> => {
      const { [step]: run } = steps;
      delete steps[step];
      await run?.();
    };
    const stepped: Blobs = {
      ...blobs,
      async put(name, content) {
        await once('beforePut');
        await blobs.put(name, content);
        await once('afterPut');
      },
      async remove(name) {
        await once('beforeRemove');
        await blobs.remove(name);
        await once('afterRemove');
      },
    };
    const bucket: Bucket = { media, chunks: stepped };
    const world = await openVersions(open, { bucket });
    const { db, now, chunks, clock } = world;
    const sweep = () => sweepVersions({ db, bucket, now, kept: 0 });
    return {
      ...{ ...world, blobs, bucket, steps, sweep },
      later: (ms: number) => {
        clock.nowMs += ms;
      },
      /** Leaves the bytes of a chunk whose row is gone, to be removed by the next sweep. */
      async loosen() {
        await chunks.put(digest, bytes);
        clock.nowMs += 2 * day;
        await sweep();
        clock.nowMs += looseMs + 1;
      },
      read: async () => textOf(await chunks.read(digest)),
    };
  }

  test('a sweep before and after the bytes are put removes none of them', async () => {
    const { loosen, chunks, steps, sweep, read } = await openSteps();
    await loosen();
    Object.assign(steps, { beforePut: sweep, afterPut: sweep });
    await chunks.put(digest, bytes);
    await sweep();
    expect([await read(), await chunks.missing([digest])]).toEqual(['a chunk', []]);
  });

  test('bytes that go away between put and row would be found out here (the control)', async () => {
    const { chunks, steps, blobs, read } = await openSteps();
    steps.afterPut = () => blobs.remove(digest);
    await chunks.put(digest, bytes);
    expect(await read()).toBe('');
  });

  test.each(['beforeRemove', 'afterRemove'] as const)(
    'a put %s is refused, and stored when it is repeated',
    async (step) => {
      const { loosen, chunks, steps, sweep, read, count } = await openSteps();
      await loosen();
      let refused: unknown;
      steps[step] = () => chunks.put(digest, bytes).catch((error: unknown) => (refused = error));
      await sweep();
      expect(refused).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
      expect([await chunks.missing([digest]), await count('app_loose_chunks')]).toEqual([[digest], 0]);
      await chunks.put(digest, bytes);
      await sweep();
      expect(await read()).toBe('a chunk');
    },
  );

  test('the removal of a killed process holds a chunk for ten minutes, and is done again', async () => {
    const { loosen, chunks, steps, sweep, later, read, blobs, count } = await openSteps();
    await loosen();
    steps.beforeRemove = () => Promise.reject(new Error('killed'));
    await expect(sweep()).rejects.toThrow('killed');
    await expect(chunks.put(digest, bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await sweep();
    expect(await blobs.sizeOf(digest)).toBe(bytes.length);
    later(claimMs + 1);
    await chunks.put(digest, bytes);
    await sweep();
    expect([await read(), await count('app_loose_chunks')]).toEqual(['a chunk', 0]);
  });

  test('a put that stood still for a day stores no row without bytes', async () => {
    const { chunks, steps, sweep, later, count, blobs } = await openSteps();
    steps.afterPut = async () => {
      later(day);
      await sweep();
    };
    await expect(chunks.put(digest, bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([await count('app_chunks'), await blobs.sizeOf(digest)]).toEqual([0, undefined]);
  });

  test('bytes of a put that failed are removed after an hour', async () => {
    const { chunks, steps, sweep, later, blobs, count } = await openSteps();
    steps.afterPut = () => Promise.reject(new Error('killed'));
    await expect(chunks.put(digest, bytes)).rejects.toThrow('killed');
    await sweep();
    expect([await blobs.sizeOf(digest), await count('app_chunks')]).toEqual([bytes.length, 0]);
    later(looseMs + 1);
    await sweep();
    expect([await blobs.sizeOf(digest), await count('app_loose_chunks')]).toEqual([undefined, 0]);
  });

  test('a chunk that was copied into the bucket leaves no bytes if a server without it deletes the row', async () => {
    const { db, bucket, now, blobs, sweep, later, count } = await openSteps();
    await createChunkStore({ db, now }).put(digest, bytes);
    const into = chunkCopies({ db, bucket, into: 'bucket', now });
    expect(await copyBlob(into, digest, { isCheck: false })).toEqual({ state: 'copied', bytes: bytes.length });
    later(looseMs + 1);
    await sweep();
    expect(await blobs.sizeOf(digest)).toBe(bytes.length); // the control: its row is there
    later(2 * day);
    await sweepVersions({ db, now, kept: 0 });
    await sweep();
    expect([await count('app_chunks'), await count('app_loose_chunks')]).toEqual([0, 0]);
    expect(await blobs.sizeOf(digest)).toBeUndefined();
  });

  test('a chunk that is copied out of the bucket while its row is deleted is gone, without an error', async () => {
    const { db, bucket, chunks, now, count } = await openSteps();
    await chunks.put(digest, bytes);
    const out = chunkCopies({ db, bucket, into: 'database', now });
    const read = async (name: string) => {
      await db.query(sql`delete from app_chunks`);
      return out.from.read(name);
    };
    const meanwhile = { ...out, from: { ...out.from, read } };
    expect(await copyBlob(meanwhile, digest, { isCheck: false })).toEqual({ state: 'gone', bytes: 0 });
    expect(await count('app_chunk_bytes')).toBe(0);
  });

  test('bytes with another digest than their name are copied neither way', async () => {
    const { db, bucket, now, blobs, count } = await openSteps();
    await createChunkStore({ db, now }).put(digest, bytes);
    await db.query(sql`update app_chunk_bytes set bytes = ${Buffer.from('damaged')}`);
    const copied = copyBlob(chunkCopies({ db, bucket, into: 'bucket', now }), digest, { isCheck: false });
    await expect(copied).rejects.toThrow('another SHA-256');
    expect(await blobs.sizeOf(digest)).toBeUndefined();
    await db.query(sql`delete from app_chunk_bytes`);
    await blobs.put(digest, Buffer.from('damaged'));
    const fetched = copyBlob(chunkCopies({ db, bucket, into: 'database', now }), digest, { isCheck: false });
    await expect(fetched).rejects.toThrow('another SHA-256');
    expect(await count('app_chunk_bytes')).toBe(0);
  });

  test('chunks from before the bucket are read; after it they are sent again', async () => {
    const { db, chunks, bucket, now, blobs, count, read } = await openSteps();
    const inTables = createChunkStore({ db, now });
    await inTables.put(digest, bytes);
    await chunks.put(digest, bytes);
    expect([await read(), await blobs.sizeOf(digest)]).toEqual(['a chunk', undefined]);
    const [other, name] = [Buffer.from('other'), digestOf(Buffer.from('other'))];
    await createChunkStore({ db, bucket, now }).put(name, other);
    expect([await inTables.missing([name]), await inTables.read(name)]).toEqual([[name], undefined]);
    await inTables.put(name, other);
    expect([textOf(await inTables.read(name)), await count('app_chunk_bytes')]).toEqual(['other', 2]);
  });

  test('in any order of the statements and requests of puts and two sweeps, too (fuzzed)', async () => {
    const some = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(fc.scheduler(), some, async (schedule, texts) => {
      const { db, bucket, chunks, now, sweep, later } = await openSteps();
      const put = (text: string, store = chunks) => store.put(digestOf(Buffer.from(text)), Buffer.from(text));
      await put('a');
      later(2 * day);
      await sweep();
      later(looseMs + 1); // from now on the bytes of a may be removed
      await put('b');
      later(2 * day); // and the row of b
      const ordered: Database = {
        ...db,
        query: schedule.scheduleFunction((statement) => db.query(statement)) as Database['query'],
        batch: schedule.scheduleFunction((statements) => db.batch(statements)),
      };
      const requests: Blobs = {
        ...bucket.chunks,
        put: schedule.scheduleFunction((name, content) => bucket.chunks.put(name, content)),
        remove: schedule.scheduleFunction((name) => bucket.chunks.remove(name)),
      };
      const both = { db: ordered, bucket: { ...bucket, chunks: requests }, now };
      const putting = texts.map((text) => put(text, createChunkStore(both)).catch(ignoreRemoval));
      const sweeping = [1, 2].map(() => sweepVersions({ ...both, kept: 0 }));
      await schedule.waitFor(Promise.all([...putting, ...sweeping]));
      await expectWhole(db, chunks);
      await db.close();
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('in any order of pushes, sweeps and hours each stored chunk has its bytes', async () => {
    const { db, chunks, sweep, later } = await openSteps();
    const contents = ['a', 'b', 'c'].map((text) => Buffer.from(text));
    const step = fc.oneof(
      fc.record({ put: fc.constantFrom(...contents) }),
      fc.record({ laterMs: fc.constantFrom(looseMs / 2, 2 * looseMs, day + 1) }),
      fc.constant({ sweep: true }),
    );
    const property = fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      for (const round of rounds) {
        await Promise.all(
          round.map(async (one) => {
            if ('put' in one) await chunks.put(digestOf(one.put), one.put).catch(ignoreRemoval);
            else if ('laterMs' in one) later(one.laterMs);
            else await sweep();
          }),
        );
        await expectWhole(db, chunks);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

/** Expects that each chunk that has a row has its bytes. */
async function expectWhole(db: Database, chunks: ChunkStore) {
  const rows = await db.query<{ digest: string; size: number }>(sql`select digest, size from app_chunks`);
  for (const row of rows) expect(digestOf((await chunks.read(row.digest)) ?? Buffer.alloc(0))).toBe(row.digest);
  return rows;
}

function textOf(content: Uint8Array = Buffer.alloc(0)): string {
  return Buffer.from(content).toString();
}

function ignoreRemoval(error: { readonly code?: string }): void {
  if (error.code !== 'UNAVAILABLE') throw error;
}
