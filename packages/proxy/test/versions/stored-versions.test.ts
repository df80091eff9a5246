import {
  auditEntry,
  decideVersion,
  findVersion,
  listAudit,
  listVersions,
  nameVersion,
  planDecision,
  planVersion,
  pointTo,
  proxyChangeLog,
  proxyMigrations,
  runVersionPlan,
} from '@gantry/proxy';
import { migrate, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases, openServiceSqlite } from '../../../service/test/databases.ts';
import { maxAuditDetail, maxAuditEntries } from '../../src/versions/audit.ts';
import { createChunkStore } from '../../src/versions/chunk-store.ts';
import { maxStatementLength } from '../../src/versions/stored-versions.ts';
import { chunkBytes, chunksOf, digestOf, maxFiles, toVersionList } from '../../src/versions/version-list.ts';
import { storeChunks } from '../../src/versions/version-source.ts';
import { filesOf, gadgetJson, least, openVersions, sourceOf } from './versions.ts';

const page = (text: string) => ({ ...least, 'index.html': `<!doctype html>${text}` });
const minute = 60_000;

describe.each(databases)('chunks on $name (issue Versions, build 1)', ({ open }) => {
  test('are stored once, and read as they were sent', async () => {
    const { chunks, count } = await openVersions(open);
    const bytes = Buffer.from(Array.from({ length: chunkBytes }, (_, index) => (index * 31) % 256));
    const digest = digestOf(bytes);
    expect(await chunks.missing([digest])).toEqual([digest]);
    await Promise.all([chunks.put(digest, bytes), chunks.put(digest, bytes)]);
    expect(await chunks.missing([digest, digest])).toEqual([]);
    expect(Buffer.from((await chunks.read(digest)) as Uint8Array).equals(bytes)).toBe(true);
    expect([await count('app_chunks'), await count('app_chunk_bytes')]).toEqual([1, 1]);
    expect(await chunks.read(digestOf('other'))).toBeUndefined();
  });

  test('are refused under another name, with one byte too many, and under no digest (rules 18 and 25)', async () => {
    const { chunks, count } = await openVersions(open);
    await expect(chunks.put(digestOf('a'), Buffer.from('b'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(chunks.put(`${digestOf('a').slice(1)}G`, Buffer.from('a'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const large = Buffer.alloc(chunkBytes + 1);
    await expect(chunks.put(digestOf(large), large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(await count('app_chunks')).toBe(0);
  });

  test('have a bound for the site, in which a small one counts a page of the disk (docs/limits.md)', async () => {
    const { chunks, clock } = await openVersions(open, { mostBytes: 3 * 4_096 });
    const put = (text: string) => chunks.put(digestOf(text), Buffer.from(text));
    await put('a');
    await put('b');
    await put('a'); // again, which takes no room
    await put('c');
    clock.nowMs += minute;
    await expect(put('d')).rejects.toMatchObject({ code: 'STORAGE_FULL', status: 507 });
    await put('c');
    expect(await chunks.read(digestOf('c'))).toBeDefined();
  });

  test('that arrive together do not share the room that is left', async () => {
    const { chunks, count } = await openVersions(open, { mostBytes: 2 * 4_096 });
    const put = (text: string) => chunks.put(digestOf(text), Buffer.from(text));
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(put));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await count('app_chunks')).toBe(2);
  });

  test('count what other processes have stored, after a second at the latest', async () => {
    const { chunks, clock, db, now } = await openVersions(open, { mostBytes: 2 * 4_096 });
    const other = createChunkStore({ db, now, mostBytes: 2 * 4_096 });
    await chunks.put(digestOf('a'), Buffer.from('a'));
    await other.put(digestOf('b'), Buffer.from('b'));
    clock.nowMs += 1_000;
    await expect(chunks.put(digestOf('c'), Buffer.from('c'))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });
});

test('the release before runs beside this one (decision 41)', async () => {
  const { db, push } = await openVersions(openServiceSqlite);
  await push(least);
  await migrate(db, { name: 'proxy', migrations: proxyMigrations.slice(0, 6) });
});

describe.each(databases)('versions on $name (issue Versions, build 1)', ({ open }) => {
  test('are stored with all of their chunks, and found with files and manifest', async () => {
    const { db, push, now, count } = await openVersions(open);
    const stored = await push(
      { ...least, 'big.js': Buffer.alloc(chunkBytes + 1, 7) },
      { statement: 'check: no problems' },
    );
    expect(stored).toEqual({
      ...{ app: 'quiz', registration: 'first', digest: stored.digest, state: 'accepted', bytes: 50 + chunkBytes + 1 },
      manifest: expect.objectContaining({ name: 'Quiz', page: 'index.html', uses: [], data: 0 }),
      ...{ statement: 'check: no problems', madeBy: 'cli:anna', madeAtMs: now(), namedAtMs: now() },
    });
    const found = await findVersion(db, stored);
    expect(found).toEqual({ ...stored, files: toVersionList(found?.files).files });
    expect([await count('app_chunks'), await count('app_version_chunks')]).toEqual([4, 4]);
    expect(await findVersion(db, { ...stored, registration: 'second' })).toBeUndefined();
  });

  test('share chunks, and are listed from the newest on', async () => {
    const { db, push, clock, count } = await openVersions(open);
    const first = await push(page('1'));
    clock.nowMs++;
    const second = await push(page('2'));
    expect(await count('app_chunks')).toBe(3);
    expect((await listVersions(db, first)).map(({ digest }) => digest)).toEqual([second.digest, first.digest]);
    expect(await listVersions(db, { app: 'quiz', registration: 'second' })).toEqual([]);
  });

  test('are not stored without a chunk, with a file of another size, or with a faulty manifest', async () => {
    const { store, stores, push, count } = await openVersions(open);
    const source = sourceOf(page('one'));
    await expect(store(source.list)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '2 of 2 chunks are missing. Send them first.',
    });
    expect((await listAudit(stores.db))[0]).toMatchObject({
      ...{ action: 'store', outcome: 'refused', detail: '2 of 2 chunks are missing. Send them first.' },
    });
    await storeChunks(stores.chunks, source);
    const liar = source.list.files.map((file) => (file.path === 'index.html' ? { ...file, size: 3 } : file));
    await expect(store(toVersionList(liar))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(push({ 'gadget.json': gadgetJson })).rejects.toThrow(
      'gadget.json: page names index.html, which is missing in this version.',
    );
    await expect(push({ 'gadget.json': '{', 'index.html': '' })).rejects.toThrow('gadget.json:1:2 is not JSON');
    const icon = JSON.stringify({ name: 'Quiz', page: 'index.html', icon: 'icon.png' });
    await expect(push({ ...least, 'gadget.json': icon, 'icon.png': 'no picture' })).rejects.toThrow(
      'icon must be a picture, and icon.png is no PNG',
    );
    await expect(push(least, { statement: 'x'.repeat(maxStatementLength + 1) })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect([await count('app_versions'), await count('app_version_chunks')]).toEqual([0, 0]);
  });

  test('have the most files and chunks that a list may have', async () => {
    const { db, chunks, store, count, now } = await openVersions(open);
    const files = Array.from({ length: maxFiles - 2 }, (_, index) => [`page-${index}.html`, `page ${index}`] as const);
    const { list } = sourceOf({ ...least, ...Object.fromEntries(files) });
    await storeChunks(chunks, sourceOf(least));
    const rows = [...chunksOf(list)].map(([digest, size]) => [digest, size, now()] as const);
    await db.query(sql`
      insert into app_chunks (digest, size, seen_at_ms) values ${sql.rows(rows)} on conflict (digest) do nothing`);
    await db.query(sql`
      insert into app_chunk_bytes (digest) select digest from app_chunks where true on conflict (digest) do nothing`);
    const stored = await store(list);
    expect(await count('app_version_chunks')).toBe(maxFiles);
    expect((await findVersion(db, stored))?.files).toHaveLength(maxFiles);
  });

  test('that were stored before stay as they were, but for one that is accepted now', async () => {
    const { db, push, clock, count } = await openVersions(open);
    const [waiting, preview] = [
      await push(page('1'), { state: 'waiting' }),
      await push(page('2'), { state: 'preview' }),
    ];
    clock.nowMs++;
    expect(await push(page('1'), { state: 'preview', by: 'key:ci' })).toEqual({ ...waiting, namedAtMs: clock.nowMs });
    expect(await push(page('2'), { state: 'waiting', by: 'key:ci' })).toEqual({ ...preview, namedAtMs: clock.nowMs });
    const accepted = await push(page('1'), { by: 'cli:bo' });
    expect(accepted).toMatchObject({
      state: 'accepted',
      madeBy: 'cli:anna',
      decidedBy: 'cli:bo',
      decidedAtMs: clock.nowMs,
    });
    clock.nowMs++;
    expect(await push(page('1'), { by: 'cli:cy' })).toEqual({ ...accepted, namedAtMs: clock.nowMs });
    expect((await findVersion(db, preview))?.state).toBe('preview');
    expect([await count('app_versions'), await count('app_version_chunks')]).toEqual([2, 4]);
  });

  test('of two pushes at once of the same files are one', async () => {
    const { push, count } = await openVersions(open);
    const both = await Promise.all([push(page('1')), push(page('1'), { by: 'cli:bo' })]);
    expect(new Set(both.map(({ digest }) => digest)).size).toBe(1);
    expect([await count('app_versions'), await count('app_chunks')]).toEqual([1, 2]);
  });

  test('need a transaction that also registers the app, or nothing is stored', async () => {
    const { db, stores, now, count } = await openVersions(open);
    const source = sourceOf(least);
    await storeChunks(stores.chunks, source);
    const version = {
      app: 'quiz',
      registration: 'none',
      list: source.list,
      state: 'accepted',
      by: 'cli:anna',
      nowMs: now(),
    } as const;
    const { statements } = await planVersion(stores, version);
    const change = { app: 'quiz', registration: 'none', digest: source.list.digest, by: 'cli:anna', nowMs: now() };
    const plan = { list: source.list, statements: [...statements, ...pointTo(proxyChangeLog, change)] };
    await expect(runVersionPlan(stores, plan)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([await count('app_versions'), await listAudit(db)]).toEqual([0, []]);
  });
});

describe.each(databases)('the live version on $name (issue Versions, build 3)', ({ open }) => {
  const registration = sql`select version, manifest, updated_at_ms, registration, consumer_key from app_registrations`;

  test('is a pointer: registration and key stay, manifest and pages follow', async () => {
    const { db, push, clock } = await openVersions(open);
    const first = await push(least);
    const named = JSON.stringify({ name: 'Quiz 2', page: 'index.html' });
    const second = await push({ ...least, 'gadget.json': named });
    clock.nowMs += minute;
    await db.batch(pointTo(proxyChangeLog, { ...first, by: 'cli:anna', nowMs: clock.nowMs }));
    clock.nowMs += minute;
    const change = { ...second, from: first.digest, by: 'key:ci', nowMs: clock.nowMs, detail: 'Release 2' };
    await db.batch(pointTo(proxyChangeLog, change));
    const [row] = await db.query<{ manifest: string }>(registration);
    expect(row).toMatchObject({
      version: second.digest,
      updated_at_ms: clock.nowMs,
      registration: 'first',
      consumer_key: 'first',
    });
    expect(JSON.parse(row?.manifest ?? '')).toMatchObject({ name: 'Quiz 2' });
    // Pages with the version before are given it for a while.
    expect((await findVersion(db, first))?.namedAtMs).toBe(clock.nowMs);
    expect(await db.query(sql`select topic, member_id, app_id from proxy_change_log`)).toEqual(
      new Array(2).fill(expect.objectContaining({ topic: 'versions', member_id: '', app_id: 'quiz' })),
    );
    expect((await listAudit(db, { app: 'quiz' }))[0]).toMatchObject({
      ...{
        actor: 'key:ci',
        action: 'live',
        from: first.digest,
        to: second.digest,
        outcome: 'done',
        detail: 'Release 2',
      },
    });
  });

  test.each(['waiting', 'preview', 'refused'] as const)('is never a version that is %s', async (state) => {
    const { db, push, now } = await openVersions(open);
    const stored = await push(least, { state: state === 'refused' ? 'waiting' : state });
    if (state === 'refused') await decideVersion(db, { ...stored, approve: false, by: 'cli:anna', nowMs: now() });
    const before = await db.query(registration);
    await expect(db.batch(pointTo(proxyChangeLog, { ...stored, by: 'cli:anna', nowMs: now() }))).rejects.toMatchObject({
      reason: 'constraint',
    });
    expect(await db.query(registration)).toEqual(before);
  });

  test('is never one of a registration that was replaced meanwhile (security rule 29)', async () => {
    const { db, push, now, register } = await openVersions(open);
    const stored = await push(least);
    await register('second', 'replace');
    for (const registered of ['first', 'second']) {
      const change = { ...stored, registration: registered, by: 'cli:anna', nowMs: now() };
      await expect(db.batch(pointTo(proxyChangeLog, change))).rejects.toMatchObject({ reason: 'constraint' });
    }
    expect(await db.query(registration)).toMatchObject([{ version: null, registration: 'second' }]);
  });
});

describe.each(databases)('decisions about versions on $name (issue Versions, build 6)', ({ open }) => {
  test('approve and make live in one transaction', async () => {
    const { db, push, now } = await openVersions(open);
    const stored = await push(least, { state: 'waiting', by: 'key:ci' });
    const by = { by: 'cli:anna', nowMs: now() };
    await db.batch([
      ...planDecision({ ...stored, ...by, approve: true }),
      ...pointTo(proxyChangeLog, { ...stored, ...by }),
    ]);
    expect(await findVersion(db, stored)).toMatchObject({ state: 'accepted', madeBy: 'key:ci', decidedBy: 'cli:anna' });
    expect(await db.query(sql`select version from app_registrations`)).toMatchObject([{ version: stored.digest }]);
  });

  test('are made once: the second one of two at once is refused, and a refused version can be approved', async () => {
    const { db, push, now } = await openVersions(open);
    const stored = await push(least, { state: 'waiting' });
    const refusal = { ...stored, approve: false, by: 'cli:anna', nowMs: now(), detail: 'Too many hosts' };
    const outcomes = await Promise.allSettled([
      decideVersion(db, refusal),
      decideVersion(db, { ...refusal, by: 'cli:bo' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'CONFLICT' }) });
    expect((await findVersion(db, stored))?.state).toBe('refused');
    await decideVersion(db, { ...refusal, approve: true });
    expect((await findVersion(db, stored))?.state).toBe('accepted');
    await expect(decideVersion(db, refusal)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(decideVersion(db, { ...refusal, digest: digestOf('none') })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await listAudit(db)).filter(({ outcome }) => outcome === 'refused')).toHaveLength(3);
    expect((await listAudit(db)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['store', 'refuse', 'approve']),
    );
  });

  test('do not lose the note that a page was given a version', async () => {
    const { db, push, clock } = await openVersions(open);
    const stored = await push(least);
    const [row] = await db.query(nameVersion(stored, clock.nowMs + 7));
    expect(row).toMatchObject({ state: 'accepted' });
    expect((await findVersion(db, stored))?.namedAtMs).toBe(clock.nowMs + 7);
    expect(await db.query(nameVersion({ ...stored, digest: digestOf('none') }, 0))).toEqual([]);
  });
});

describe.each(databases)('the audit on $name (issue Versions, build 6)', ({ open }) => {
  test('lists changes and refused attempts from the newest on, page by page', async () => {
    const { db, now } = await openVersions(open);
    for (let index = 0; index < 5; index++) {
      const entry = { atMs: now() + index, actor: 'key:ci', app: index === 2 ? 'notes' : 'quiz', action: 'live' };
      await db.batch([
        auditEntry({ ...entry, outcome: index === 3 ? 'refused' : 'done', to: `v${index}`, detail: 'x'.repeat(2_000) }),
      ]);
    }
    const first = await listAudit(db, { limit: 2 });
    expect(first.map(({ to, outcome }) => [to, outcome])).toEqual([
      ['v4', 'done'],
      ['v3', 'refused'],
    ]);
    expect(first[0]?.detail).toHaveLength(maxAuditDetail);
    const rest = await listAudit(db, { before: first[1]?.id ?? '' });
    expect(rest.map(({ to }) => to)).toEqual(['v2', 'v1', 'v0']);
    expect((await listAudit(db, { app: 'notes' })).map(({ to }) => to)).toEqual(['v2']);
  });

  test('lists 200 entries at once at the most (rule 25)', async () => {
    const { db, now } = await openVersions(open);
    const entry = { actor: 'key:ci', app: 'quiz', action: 'live', outcome: 'refused' } as const;
    await db.batch(
      Array.from({ length: maxAuditEntries + 1 }, (_, index) => auditEntry({ ...entry, atMs: now() + index })),
    );
    expect(await listAudit(db, { limit: 1_000_000 })).toHaveLength(200);
  });

  test('has no entry of a change that was not made', async () => {
    const { db, now } = await openVersions(open);
    const entry = { atMs: now(), actor: 'cli:anna', app: 'quiz', action: 'live', outcome: 'done' } as const;
    await expect(db.batch([auditEntry(entry, sql`1 = 2`)])).rejects.toMatchObject({ reason: 'constraint' });
    await db.batch([auditEntry(entry, sql`1 = 1`)]);
    expect(await listAudit(db)).toHaveLength(1);
  });
});

test('a list is the same for the same contents, whatever made it', () => {
  expect(sourceOf(least).list).toEqual(toVersionList(filesOf(least).files.toReversed()));
});
