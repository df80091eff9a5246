import {
  type ChunkStore,
  createChunkStore,
  decideVersion,
  findVersion,
  listVersions,
  nameVersion,
  offerPreview,
  planVersion,
  pointTo,
  proxyChangeLog,
  removeApp,
  runVersionPlan,
  storeVersion,
  sweepVersions,
  type VersionSource,
} from '@gantry/proxy';
import { type Database, type Statement, sql } from '@gantry/store';
import { silentLogger } from '@gantry/wire/runtime';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { sweepRegularly } from '../../src/versions/sweep.ts';
import { chunkBytes, chunksOf } from '../../src/versions/version-list.ts';
import { storeChunks } from '../../src/versions/version-source.ts';
import { openSite } from '../site.ts';
import { least, openVersions, sourceOf } from './versions.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const page = (text: string) => ({ ...least, 'index.html': `<!doctype html>${text}` });

describe.each(databases)('sweeping on $name (issue Versions, build 8)', ({ open }) => {
  async function openSwept(kept = 2) {
    const world = await openVersions(open);
    const { db, clock, now } = world;
    return {
      ...world,
      sweep: () => sweepVersions({ db, now, kept }),
      later: (ms: number) => {
        clock.nowMs += ms;
      },
      live: (digest: string) =>
        db.batch(pointTo(proxyChangeLog, { app: 'quiz', registration: 'first', digest, by: 'cli:anna', nowMs: now() })),
      digests: async (registration = 'first') =>
        (await listVersions(db, { app: 'quiz', registration })).map(({ digest }) => digest),
    };
  }

  test('keeps the newest versions and the live one, with their chunks', async () => {
    const { push, later, live, sweep, digests, count } = await openSwept();
    const pushed: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) {
      pushed.push((await push(page(text))).digest);
      later(minute);
    }
    const [first, , , fourth, fifth] = pushed as [string, string, string, string, string];
    await live(first);
    later(2 * day);
    await sweep();
    expect(await digests()).toEqual([fifth, fourth, first]);
    expect([await count('app_chunks'), await count('app_chunk_bytes'), await count('app_version_chunks')]).toEqual([
      4, 4, 6,
    ]);
  });

  test('keeps what a page was given in the last twenty minutes: a token may name it', async () => {
    const { db, push, later, sweep, digests, now } = await openSwept(0);
    const stored = await push(least);
    later(day);
    await db.query(nameVersion(stored, now()));
    later(20 * minute);
    await sweep();
    expect(await digests()).toEqual([stored.digest]);
    later(1);
    await sweep();
    expect(await digests()).toEqual([]);
  });

  test('keeps what waits and what is offered, and drops refused and forgotten ones after a day', async () => {
    const { db, push, later, sweep, digests, now } = await openSwept(0);
    const waiting = await push(page('waiting'), { state: 'waiting' });
    const refused = await push(page('refused'), { state: 'waiting' });
    const offered = await push(page('offered'), { state: 'preview' });
    const forgotten = await push(page('forgotten'), { state: 'preview' });
    await offerPreview(db, { ...offered, members: ['7'], by: 'cli:anna', nowMs: now() });
    later(minute);
    await decideVersion(db, { ...refused, approve: false, by: 'cli:anna', nowMs: now() });
    later(day - 2 * minute);
    await sweep();
    expect(new Set(await digests())).toEqual(
      new Set([waiting, refused, offered, forgotten].map(({ digest }) => digest)),
    );
    later(3 * minute);
    await sweep();
    expect(new Set(await digests())).toEqual(new Set([waiting.digest, offered.digest]));
  });

  test('deletes all of a replaced and of a removed app after a day, and nothing of the next one', async () => {
    const { db, push, later, live, sweep, digests, register, now, count } = await openSwept();
    await live((await push(page('old'))).digest);
    await push(page('old and waiting'), { state: 'waiting' });
    later(minute);
    await register('second', 'replace');
    const next = await push(page('next'), { registration: 'second' });
    later(day);
    await sweep();
    expect([(await digests()).length, (await digests('second')).length]).toEqual([2, 1]);
    later(minute);
    await sweep();
    expect([await digests(), await digests('second')]).toEqual([[], [next.digest]]);
    await removeApp(db, 'quiz', { now });
    later(day + minute);
    await sweep();
    expect([await count('app_versions'), await count('app_version_chunks'), await count('app_chunks')]).toEqual([
      0, 0, 0,
    ]);
  });

  test('keeps what waits for an app that was never registered, or not again yet', async () => {
    const { db, push, later, sweep, now } = await openSwept();
    const unknown = await push(page('1'), { app: 'notes', registration: 'n1', state: 'waiting' });
    await removeApp(db, 'quiz', { now });
    const again = await push(page('2'), { registration: 'third', state: 'waiting' });
    later(2 * day);
    await sweep();
    expect(await findVersion(db, unknown)).toBeDefined();
    expect(await findVersion(db, again)).toBeDefined();
  });

  test('deletes what a push left behind at every step, after a day and not before', async () => {
    const { chunks, store, sweep, later, count } = await openSwept(0);
    const source = sourceOf({ ...page('killed'), 'big.js': Buffer.alloc(chunkBytes + 1) });
    const digests = [...chunksOf(source.list).keys()];
    for (let sent = 0; sent <= digests.length; sent++) {
      for await (const [digest, bytes] of source.read(digests.slice(0, sent))) await chunks.put(digest, bytes);
      if (sent < digests.length) await expect(store(source.list)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([await count('app_versions'), await count('app_version_chunks')]).toEqual([0, 0]);
      later(day - minute);
      await sweep();
      expect(await count('app_chunks')).toBe(sent);
      later(2 * minute);
      await sweep();
      expect([await count('app_chunks'), await count('app_chunk_bytes')]).toEqual([0, 0]);
    }
  });

  test('looks at a thousand chunks a turn, and at all of them', async () => {
    const { db, chunks, later, now, count } = await openSwept();
    const files = Array.from({ length: 1_500 }, (_, index) => [`p${index}.html`, `${index}`] as const);
    await storeChunks(chunks, sourceOf({ ...least, ...Object.fromEntries(files) }));
    later(2 * day);
    const read: Statement[] = [];
    const query: Database['query'] = (statement) => {
      if (statement.strings.join('').includes('is_used')) read.push(statement);
      return db.query(statement);
    };
    await sweepVersions({ db: { ...db, query }, now });
    expect([read.length, await count('app_chunks')]).toEqual([2, 0]);
  });

  /** Pushes, of which each resolves with its source once it is stored. */
  function pushing({ db, now, texts }: { db: Database; now: () => number; texts: readonly string[] }) {
    const chunks = createChunkStore({ db, now });
    return texts.map(async (text) => {
      const source = sourceOf(page(text));
      await storeChunks(chunks, source);
      const version = { app: 'quiz', registration: 'first', list: source.list, state: 'accepted' } as const;
      await storeVersion({ db, chunks }, { ...version, by: 'key:ci', nowMs: now() });
      return source;
    });
  }

  async function expectWhole({ chunks }: { chunks: ChunkStore }, sources: readonly VersionSource[]): Promise<void> {
    for (const { list } of sources) {
      for (const digest of chunksOf(list).keys()) expect(await chunks.read(digest)).toBeDefined();
    }
  }

  test('deletes no chunk of a push, in any order of their statements (fuzzed)', async () => {
    const some = fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), some, async (schedule, texts) => {
        const world = await openSwept();
        const { db, chunks, later, now } = world;
        for (const text of ['1', '2', '3']) await storeChunks(chunks, sourceOf(page(text)));
        later(2 * day); // from now on all of them may be deleted
        const ordered: Database = {
          ...db,
          query: schedule.scheduleFunction((statement) => db.query(statement)) as Database['query'],
          batch: schedule.scheduleFunction((statements) => db.batch(statements)),
        };
        const pushes = Promise.all(pushing({ db: ordered, now, texts }));
        const sweeps = [1, 2].map(() => sweepVersions({ db: ordered, now, kept: 0 }));
        await schedule.waitFor(Promise.all([pushes, ...sweeps]));
        await expectWhole(world, await pushes);
        await db.close();
      }),
      { numRuns: 40 },
    );
  });

  test('would delete them if a push only looked: the control', async () => {
    const { db, chunks, later, sweep, now } = await openSwept();
    const { list } = sourceOf(page('1'));
    await storeChunks(chunks, sourceOf(page('1')));
    later(2 * day);
    const looking: ChunkStore = {
      ...chunks,
      async missing(digests) {
        const rows = await db.query(sql`select digest from app_chunks where digest in (${sql.list(digests)})`);
        return digests.filter((digest) => !rows.some((row) => row.digest === digest));
      },
    };
    const version = {
      app: 'quiz',
      registration: 'first',
      list,
      state: 'accepted',
      by: 'key:ci',
      nowMs: now(),
    } as const;
    const { statements } = await planVersion({ db, chunks: looking }, version);
    await sweep();
    await expect(runVersionPlan({ db, chunks: looking }, { list, statements })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '2 of 2 chunks are missing. Send them first.',
    });
    // One that was promised stays, and a version without it cannot be stored.
    await storeChunks(chunks, sourceOf(page('1')));
    later(2 * day);
    const promised = await planVersion({ db, chunks }, { ...version, nowMs: now() });
    await sweep();
    await runVersionPlan({ db, chunks }, { list, statements: promised.statements });
    await expect(db.query(sql`delete from app_chunks`)).rejects.toMatchObject({ reason: 'constraint' });
  });

  test('and pushes, roll-backs and refusals at once never leave half a version', async () => {
    const world = await openSwept(0);
    const { db, later, live, now, digests } = world;
    for (let round = 0; round < 20; round++) {
      later(2 * day);
      const texts = ['1', '2', '3', `${round}`];
      const known = await digests();
      const [pushes] = await Promise.all([
        Promise.all(pushing({ db, now, texts })),
        ...[1, 2, 3].map(() => sweepVersions({ db, now, kept: 0 })),
        // The sweepers delete them now: one is live, or it was gone before.
        ...known.map((digest) => live(digest).catch((error) => expect(error).toMatchObject({ reason: 'constraint' }))),
      ]);
      await expectWhole(world, pushes);
      const [row] = await db.query<{ version: string | null }>(sql`select version from app_registrations`);
      const name = { app: 'quiz', registration: 'first', digest: row?.version ?? '' };
      if (row?.version) expect(await findVersion(db, name)).toBeDefined();
      expect(
        await db.query(sql`
        select 1 from app_chunks where not exists (
          select 1 from app_chunk_bytes where app_chunk_bytes.digest = app_chunks.digest)`),
      ).toEqual([]);
    }
    later(2 * day);
    await sweepVersions({ db, now, kept: 0 });
    const left = await digests();
    expect(left.length).toBeLessThanOrEqual(1); // the live one
  });
});

test('keeps a chunk that is promised while its deletion waits for it, on PostgreSQL', async () => {
  const schema = await createSchema();
  const promising = new pg.Client(schema.url);
  onTestFinished(async () => {
    await promising.end();
    await schema.remove();
  });
  const db = schema.connect();
  const { chunks, now } = await openVersions(async () => db);
  await storeChunks(chunks, sourceOf(least));
  await promising.connect();
  await promising.query('begin');
  await promising.query('update app_chunks set seen_at_ms = $1', [now() + 2 * day]);
  const sweeping = sweepVersions({ db, now: () => now() + 2 * day });
  const waiting =
    'select 1 from pg_locks where not granted and pid in (select pid from pg_stat_activity where query like $1)';
  await expect.poll(async () => (await promising.query(waiting, ['%delete from app_chunks%'])).rowCount).toBe(1);
  await promising.query('commit');
  await sweeping;
  expect(await chunks.missing([...chunksOf(sourceOf(least).list).keys()])).toEqual([]);
  await db.close();
});

test('sweeps in each process at a time of its own, and one sweep after the other (rule 34)', async () => {
  const [sqlite] = databases;
  const { db, now, push, count, clock } = await openVersions((sqlite as (typeof databases)[number]).open);
  await push(least);
  clock.nowMs += 2 * day;
  const ticks: (readonly [tick: () => void, ms: number])[] = [];
  const failures: unknown[] = [];
  const log = { ...silentLogger, warn: (facts: unknown) => failures.push(facts) };
  const start = (byte: number, over: Database = db) =>
    sweepRegularly({
      ...{ db: over, now, kept: 0, log, random: () => new Uint8Array([byte]) },
      every: (tick, ms) => {
        ticks.push([tick, ms]);
        return () => ticks.pop();
      },
    });
  const stop = start(0);
  start(128);
  expect(ticks.map(([, ms]) => ms)).toEqual([10 * minute, 15 * minute]);
  ticks[0]?.[0]();
  ticks[0]?.[0]();
  await expect.poll(() => count('app_chunks')).toBe(0);
  start(0, { ...db, query: () => Promise.reject(new Error('down')) });
  ticks.at(-1)?.[0]();
  await expect.poll(() => failures).toEqual([{ err: new Error('down') }]);
  stop();
  expect(ticks).toHaveLength(2);
});

test('a proxy sweeps as long as it runs, and keeps as many versions as its site says', async () => {
  const ticks = new Map<() => void, number>();
  const site = await openSite({
    keptVersions: 1,
    every: (tick, ms) => {
      ticks.set(tick, ms);
      return () => ticks.delete(tick);
    },
  });
  const { db } = site;
  const world = await openVersions(async () => db);
  for (const text of ['1', '2', '3']) await world.push(page(text), { nowMs: site.nowMs++ });
  site.nowMs += 2 * day;
  const sweeps = [...ticks].filter(([, ms]) => ms >= 10 * minute && ms < 20 * minute);
  expect(sweeps).toHaveLength(1);
  sweeps[0]?.[0]();
  await expect.poll(async () => (await listVersions(db, { app: 'quiz', registration: 'first' })).length).toBe(1);
  site.proxy.close();
  expect([...ticks.keys()]).not.toContain(sweeps[0]?.[0]);
});
