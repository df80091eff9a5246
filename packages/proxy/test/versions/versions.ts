import { createChunkStore, proxyMigrations, storeVersion, type VersionList, type VersionSource } from '@gantry/proxy';
import { type Bucket, type Database, migrate, sql } from '@gantry/store';
import { createChunker } from '../../src/versions/chunker.ts';
import type { NewVersion, VersionSummary } from '../../src/versions/stored-versions.ts';
import { toVersionFile, toVersionList, type VersionFile } from '../../src/versions/version-list.ts';
import { storeChunks } from '../../src/versions/version-source.ts';
import { registerApp } from '../register-app.ts';
import { secretKey } from '../site.ts';

export type Contents = Readonly<Record<string, string | Uint8Array>>;

export const gadgetJson = JSON.stringify({ name: 'Quiz', page: 'index.html' });
/** The least that is a version. */
export const least: Contents = { 'gadget.json': gadgetJson, 'index.html': '<!doctype html>' };

/** Makes the files of a version and their chunks, without a list's checks. */
export function filesOf(contents: Contents): {
  readonly files: readonly VersionFile[];
  readonly chunks: ReadonlyMap<string, Uint8Array>;
} {
  const chunks = new Map<string, Uint8Array>();
  const files = Object.entries(contents).map(([path, content]) => {
    const bytes = Buffer.from(content);
    const chunker = createChunker();
    const all = [...chunker.add(bytes), ...chunker.end()];
    for (const chunk of all) chunks.set(chunk.digest, chunk.bytes);
    return toVersionFile({ path, size: bytes.length, chunks: all.map(({ digest }) => digest) });
  });
  return { files, chunks };
}

/** Makes a source as that of a folder. */
export function sourceOf(contents: Contents): VersionSource {
  const { files, chunks } = filesOf(contents);
  return {
    list: toVersionList(files),
    async *read(digests) {
      for (const digest of digests) yield [digest, chunks.get(digest) as Uint8Array] as const;
    },
  };
}

/** Opens the tables of versions, with the app `quiz` registered as `first`. */
export async function openVersions(
  open: () => Promise<Database>,
  { mostBytes, bucket }: { mostBytes?: number; bucket?: Bucket } = {},
) {
  const db = await open();
  await migrate(db, { name: 'proxy', migrations: proxyMigrations });
  const clock = { nowMs: Date.parse('2026-08-01T12:00:00Z') };
  const now = () => clock.nowMs;
  const chunks = createChunkStore({ db, bucket, now, ...(mostBytes !== undefined && { mostBytes }) });
  const quiz = {
    ...{ id: 'quiz', folder: '/srv/quiz', manifest: JSON.parse(gadgetJson) },
    ...{ consumerKey: 'key', consumerSecret: 'secret' },
  };
  const register = (registration: string, mode: 'new' | 'replace' = 'new') =>
    registerApp(
      db,
      secretKey,
      { ...quiz, consumerKey: registration },
      { mode, now, newRegistration: () => registration },
    );
  await register('first');

  async function push(contents: Contents, over: Partial<NewVersion> = {}): Promise<VersionSummary> {
    const source = sourceOf(contents);
    await storeChunks(chunks, source);
    return store(source.list, over);
  }
  function store(list: VersionList, over: Partial<NewVersion> = {}): Promise<VersionSummary> {
    const version = { app: 'quiz', registration: 'first', list, state: 'accepted', by: 'cli:anna' } as const;
    return storeVersion({ db, chunks }, { ...version, nowMs: now(), ...over });
  }
  async function count(
    table: 'app_chunks' | 'app_chunk_bytes' | 'app_loose_chunks' | 'app_versions' | 'app_version_chunks',
  ) {
    const [row] = await db.query<{ count: number }>(sql`select count(*) as count from ${sql.names([table])}`);
    return row?.count;
  }
  return { db, chunks, clock, now, register, push, store, count, stores: { db, chunks, bucket } };
}
