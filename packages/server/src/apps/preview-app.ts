import {
  createChunkStore,
  endPreview,
  findKnownApp,
  type KnownApp,
  offerPreview,
  storeChunks,
  storeVersion,
  type VersionSummary,
} from '@gantry/proxy';
import { memberExists } from '@gantry/service';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { changeLogOf } from '../data/change-log.ts';
import type { Stores } from '../data/stores.ts';
import { type FilesPlace, readFiles } from './app-files.ts';
import { type ChangeOptions, withAudit } from './attempt.ts';
import { findNamed, type HistoryEntry, listHistory } from './history.ts';

/** A version for a preview: files to store, or the name of one that is stored. */
export type PreviewedVersion = FilesPlace | { readonly version: string };

export interface PreviewOptions extends ChangeOptions {
  /** Ids of at most 100 members, each of whom is asked once. */
  readonly members: readonly string[];
}

/**
 * Offers a version of an app to some members before it is live. A version that is not stored yet
 * is stored for previews only.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * const folder = 'demo/apps/notes';
 * await previewApp(stores, 'notes', { folder, members: ['7'] }); // throws NOT_FOUND
 * await stores.db.close();
 * @throws SocialError NOT_FOUND for an unknown app or version, BAD_REQUEST for an app on its own
 * server, faulty files, and ids that no member has.
 */
export async function previewApp(
  stores: Stores,
  id: string,
  previewed: PreviewedVersion & PreviewOptions,
): Promise<VersionSummary> {
  const { members, by = 'server', now = Date.now } = previewed;
  const { db } = stores;
  const nowMs = now();
  return withAudit(db, { app: id, action: 'preview', by, nowMs }, async () => {
    const { registration } = await requireServed(db, id);
    const { isSite, log } = await changeLogOf(db);
    if (isSite) await requireMembers(db, members);
    const version =
      'version' in previewed
        ? await storedVersion(stores, id, previewed.version)
        : await store(stores, { app: id, registration, by, now, nowMs }, previewed);
    const announce = members.map((memberId) => log.add({ topic: 'versions', memberId, appId: id }));
    await offerPreview(db, { app: id, registration, digest: version.digest, members, by, nowMs, announce });
    return version;
  });
}

/**
 * Ends the preview of a version for some members, or for all.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await endAppPreview(stores, 'notes', { version: '2.0.0' }); // throws NOT_FOUND
 * await stores.db.close();
 * @throws SocialError NOT_FOUND for an unknown app or version.
 */
export async function endAppPreview(
  stores: Stores,
  id: string,
  options: ChangeOptions & { readonly version: string; readonly members?: readonly string[] | undefined },
): Promise<VersionSummary> {
  const { version: name, members, by = 'server', now = Date.now } = options;
  const { db } = stores;
  const { log } = await changeLogOf(db);
  const { registration } = await requireServed(db, id);
  const version = await storedVersion(stores, id, name);
  const concerned = version.previews.filter((member) => members?.includes(member) ?? true);
  const announce = concerned.map((memberId) => log.add({ topic: 'versions', memberId, appId: id }));
  await endPreview(db, { app: id, registration, digest: version.digest, members, by, nowMs: now(), announce });
  return version;
}

async function store(
  stores: Pick<Stores, 'db' | 'bucket'>,
  as: { readonly app: string; readonly registration: string; readonly by: string; now(): number; nowMs: number },
  place: FilesPlace,
): Promise<VersionSummary> {
  const { now, ...made } = as;
  const { source } = await readFiles(place);
  const chunks = createChunkStore({ ...stores, now });
  await storeChunks(chunks, source);
  return storeVersion({ db: stores.db, chunks }, { ...made, list: source.list, state: 'preview' });
}

async function requireServed(db: Database, id: string): Promise<KnownApp> {
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) {
    throw new SocialError('NOT_FOUND', `There is no app ${JSON.stringify(id)}. Add it before its preview.`);
  }
  if (app.source.kind !== 'remote') return app;
  throw new SocialError('BAD_REQUEST', `${id} is on a server of its own, which decides who sees what.`);
}

async function storedVersion(stores: Stores, id: string, name: string): Promise<HistoryEntry> {
  return findNamed(id, (await listHistory(stores, id)) ?? [], name);
}

/** @throws SocialError BAD_REQUEST for the first id that no member has (security rule 37). */
async function requireMembers(db: Database, members: readonly string[]): Promise<void> {
  for (const id of members) {
    if (!(await memberExists(db, id)))
      throw new SocialError('BAD_REQUEST', `There is no member ${JSON.stringify(id)}.`);
  }
}
