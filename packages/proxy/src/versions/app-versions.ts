import { type Database, StoreError, sql } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import { parseFilePath } from '../apps/app-path.ts';
import { type AppVersion, type AppVersions, asVersion, liveVersion, versionKey } from '../apps/app-version.ts';
import { noSuchFile } from '../apps/document-source.ts';
import { findApp } from '../apps/registrations.ts';
import type { Ports } from '../ports.ts';
import { createChunkStore } from './chunk-store.ts';
import { createFileCache } from './file-cache.ts';
import { createKnownVersions } from './known-versions.ts';
import { findStillShown } from './previews.ts';
import { nameVersion, type VersionName, type VersionState } from './stored-versions.ts';
import { type SweepOptions, sweepRegularly } from './sweep.ts';

/** A version is kept for the pages that were given it: noted at most this often. */
export const namedEveryMs = 5 * 60_000;

interface StateRow {
  readonly app_id: string;
  readonly registration: string;
  readonly digest: string;
  readonly state: VersionState;
}

/**
 * Finds versions of apps in the database, and their files in a cache. Deletes old versions.
 *
 * @param options.fileCache Folder of that cache. Default: a temporary one.
 * @param options.kept As in `SweepOptions`.
 */
export function createAppVersions(
  options: Ports & Pick<SweepOptions, 'kept'> & { readonly fileCache?: string | undefined },
): AppVersions & { close(): void } {
  const { db, bucket, now, log, fileCache: folder } = options;
  const files = createFileCache({ ...options, chunks: createChunkStore({ db, bucket, now }), folder });
  const find = createKnownVersions(db);
  const stopSweeping = sweepRegularly(options);
  const namedAtMs = new LRUCache<string, number>({ max: 10_000 });

  async function shown(name: VersionName, state: VersionState | undefined): Promise<AppVersion | undefined> {
    if (state !== 'accepted' && state !== 'preview') return undefined;
    const known = await find(name);
    return known && { digest: name.digest, manifest: known.manifest, isLimited: state === 'preview' };
  }

  /** Notes that pages have a version. If that fails, the sweeper cannot delete it now either. */
  async function keep(names: readonly VersionName[]): Promise<void> {
    const nowMs = now();
    const due = names.filter((name) => nowMs - (namedAtMs.get(versionKey(name)) ?? 0) >= namedEveryMs);
    if (due.length === 0) return;
    try {
      await db.batch(due.map((name) => nameVersion(name, nowMs)));
      for (const name of due) namedAtMs.set(versionKey(name), nowMs);
    } catch (err) {
      if (!(err instanceof StoreError)) throw err;
      log.warn({ err }, 'a version that a page has could not be noted');
    }
  }

  return {
    find,
    async findShown(id, digest) {
      const app = await findApp(db, id);
      if (app === undefined || digest === undefined || digest === liveVersion(app)) return app;
      const name = { app: id, registration: app.registration, digest };
      const version = await shown(name, (await statesOf(db, [name]))[0]?.state);
      return version && asVersion(app, version);
    },
    async give(names) {
      const rows = names.length === 0 ? [] : await statesOf(db, names);
      const given = new Map<string, AppVersion>();
      for (const { app_id: app, registration, digest, state } of rows) {
        const version = await shown({ app, registration, digest }, state);
        if (version) given.set(versionKey({ app, registration, digest }), version);
      }
      await keep(names.filter((name) => given.has(versionKey(name))));
      return given;
    },
    stillShown: (member, names) => findStillShown(db, member, names),
    async open(name, path) {
      const segments = parseFilePath(path);
      // Paths of versions are composed, those of requests as an author's system wrote them.
      const file = segments && (await find(name))?.files.get(segments.join('/').normalize('NFC'));
      if (file === undefined) throw noSuchFile();
      return files.fileOf(file);
    },
    close() {
      stopSweeping();
      files.close();
    },
  };
}

function statesOf(db: Database, names: readonly VersionName[]): Promise<readonly StateRow[]> {
  const apps = sql.list([...new Set(names.map(({ app }) => app))]);
  const digests = sql.list([...new Set(names.map(({ digest }) => digest))]);
  return db.query<StateRow>(sql`
    select app_id, registration, digest, state from app_versions
    where app_id in (${apps}) and registration in (${sql.list([...new Set(names.map((one) => one.registration))])})
      and digest in (${digests})`);
}
