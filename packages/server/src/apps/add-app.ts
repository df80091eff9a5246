import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import {
  auditEntry,
  checkManifest,
  createChunkStore,
  findKnownApp,
  type KnownApp,
  logAppChange,
  type Manifest,
  noFolder,
  planRegistration,
  planVersion,
  pointTo,
  type RegistrationMode,
  readManifest,
  reportAppEnd,
  runVersionPlan,
  storeChunks,
  type VersionList,
  type VersionSource,
} from '@gantry/proxy';
import { appExists } from '@gantry/service';
import type { Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { changeLogOf } from '../data/change-log.ts';
import type { Stores } from '../data/stores.ts';
import { readFiles } from './app-files.ts';
import { checkAppId } from './app-id.ts';
import { planKey } from './app-key.ts';
import { liveVersion } from './app-lifecycle.ts';
import { type ChangeOptions, withAudit } from './attempt.ts';
import { requireReadableData } from './rollback.ts';
import { takenMessage } from './taken-id.ts';

/**
 * An app to register: a folder or a packed file, whose files are stored as a version, or the URL of
 * an app on its own server.
 */
export type AppSource =
  | {
      readonly id: string;
      readonly folder: string;
      /**
       * Serves the folder as it is: changed files count at the next load, and there is no way back.
       * For development. Default: false, its files are stored.
       */
      readonly live?: boolean | undefined;
      /** Content of the `gadget.json` of a live folder, if already read. */
      readonly manifest?: object;
    }
  | {
      readonly id: string;
      /** File that `gantry app pack` wrote. */
      readonly file: string;
    }
  | {
      readonly id: string;
      readonly url: string;
      readonly title: string;
      /** Content of its `gadget.json`. Absent: it may ask the site for nothing. */
      readonly manifest?: object;
    };

export interface AddOptions extends ChangeOptions {
  /**
   * Relation to the app that has the id, or had it last. `new`: none may exist. `update`: the same
   * app; members keep their grants. `replace`: another app; everything of the old one ends.
   * Default: `new`.
   */
  readonly mode?: RegistrationMode | undefined;
  /** The site trusts the app: members are not asked. Default: unchanged, at first false. */
  readonly trusted?: boolean | undefined;
  /** Makes a version live whose `data` is lower than that of the live one. */
  readonly despiteData?: boolean | undefined;
  /** Key issued by an existing site, behind `gantry proxy`; a whole site issues its own. */
  readonly consumer?: { readonly key: string; readonly secret: string } | undefined;
  /** Random bytes for the key, its secret and the registration's id. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/** A registered app, and what registering changed. */
export interface AddedApp {
  readonly id: string;
  readonly name: string;
  readonly trusted: boolean;
  /** `unchanged`: this version is live already, and nothing was written. */
  readonly done: 'registered' | 'updated' | 'replaced' | 'unchanged';
  /** The files of the live version. Absent for a live folder and an app on its own server. */
  readonly version?: VersionList;
  /** The app that was updated or replaced. */
  readonly before?: KnownApp;
}

/**
 * Registers an app with service and proxy. A new one gets a key that only the proxy uses; an update
 * keeps it (security rule 29).
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * const notes = { id: 'notes', folder: 'demo/apps/notes' };
 * (await addApp(stores, notes)).done; // 'registered'
 * (await addApp(stores, notes)).done; // 'unchanged'
 * const other = { id: 'notes', url: 'https://apps.example/', title: 'Notes' };
 * await addApp(stores, other); // throws CONFLICT
 * await stores.db.close();
 * @throws SocialError CONFLICT for a taken id without `mode`, and for a version with lower `data`;
 * BAD_REQUEST that names the fault in id, address or manifest.
 */
export async function addApp(stores: Stores, app: AppSource & AddOptions): Promise<AddedApp> {
  return registerApp(stores, { ...app, ...(await readContent(app)) });
}

/** An app whose manifest was read, and the files of its version, if it has one. */
export interface ReadApp extends AddOptions {
  readonly id: string;
  readonly manifest: Manifest;
  /** Without `read`, all of its chunks are stored already. */
  readonly files?: Pick<VersionSource, 'list'> & Partial<VersionSource>;
  readonly folder?: string;
  /** Address of an app on its own server. */
  readonly url?: string;
  /** Author's own account of the version, as text. */
  readonly statement?: string | undefined;
  /** Name of a new registration. Default: a random one. */
  readonly newRegistration?: string | undefined;
  /** Statements for the same transaction, before all others. */
  readonly first?: readonly Statement[] | undefined;
}

/** Reads an app before anything is written. */
async function readContent(app: AppSource): Promise<Pick<ReadApp, 'manifest' | 'files' | 'folder'>> {
  if ('url' in app) return { manifest: checkManifest({ page: 'index.html', ...app.manifest, name: app.title }) };
  const folder = 'folder' in app && { folder: resolve(app.folder) };
  if (folder && 'live' in app && app.live) {
    return { ...folder, manifest: app.manifest ? checkManifest(app.manifest) : await readManifest(app.folder) };
  }
  const { manifest, source } = await readFiles(app);
  return { ...folder, manifest, files: source };
}

/** Registers an app that was read, as `addApp` does. */
export async function registerApp(stores: Stores, app: ReadApp): Promise<AddedApp> {
  const { id, by = 'server', now = Date.now } = app;
  const nowMs = now();
  const attempt = { app: id, action: 'add', by, nowMs };
  return withAudit(stores.db, attempt, () => register(stores, { ...app, by, now, nowMs }));
}

interface TimedApp extends ReadApp {
  readonly by: string;
  readonly now: () => number;
  readonly nowMs: number;
}

async function register(stores: Stores, app: TimedApp): Promise<AddedApp> {
  const { db, secretKey } = stores;
  const { id, mode = 'new', manifest, files, by, now, nowMs, random = randomBytes } = app;
  const before = await findKnownApp(db, id);
  checkAppId(id, { isUpdate: before !== undefined && mode === 'update' });
  const known = { id, name: manifest.name, ...(files && { version: files.list }), ...(before && { before }) };
  if (before && isUnchanged(app, before)) return { ...known, trusted: before.trusted, done: 'unchanged' };
  if (before && mode === 'new') throw new SocialError('CONFLICT', await takenMessage(stores, before));
  const same = mode === 'update' ? before : undefined;
  if (same && files && !app.despiteData) await requireReadableData(stores, same, { ...files.list, manifest });

  const { isSite, log } = await changeLogOf(db);
  const ends = mode === 'replace' && (before !== undefined || (isSite && (await appExists(db, id))));
  const key = await planKey(stores, app, { title: manifest.name, same, ends, isSite });
  const registration = same?.registration ?? app.newRegistration ?? Buffer.from(random(12)).toString('base64url');
  const { url, folder = noFolder, trusted: asked } = app;
  const { statements, trusted } = await planRegistration(
    db,
    secretKey,
    { id, ...(url === undefined ? { folder } : { url }), manifest, trusted: asked, ...key.consumer },
    { mode, now: () => nowMs, newRegistration: () => registration },
  );
  const done = ends ? 'replaced' : same ? 'updated' : 'registered';
  const from = before && liveVersion(before);
  const isMove = done === 'updated' && files && from !== undefined && before?.trusted === trusted;
  const version = files && { app: id, registration, list: files.list, by, nowMs, statement: app.statement };
  const stored = { db, chunks: createChunkStore({ ...stores, now }) };
  if (files?.read) await storeChunks(stored.chunks, { ...files, read: files.read });
  const plan = version && (await planVersion(stored, { ...version, state: 'accepted' }));
  await runVersionPlan(stored, {
    ...(files && { list: files.list }),
    statements: [
      ...(app.first ?? []),
      ...key.statements,
      ...statements,
      ...(isMove ? [] : [entryOf(app, { done, trusted, from })]),
      ...(plan?.statements ?? []),
      ...(version ? pointTo(log, { ...version, digest: version.list.digest, from: same && from }) : []),
      ...(ends && !isSite ? reportAppEnd(id, { removesData: true, nowMs }) : []),
      ...((before || ends) && !isMove ? [logAppChange(log, id)] : []),
    ],
  });
  return { ...known, trusted, done };
}

/** Returns whether exactly this is live already. */
function isUnchanged({ mode, trusted, consumer, files }: ReadApp, before: KnownApp): boolean {
  const isLive = files !== undefined && before.removedAtMs === undefined && liveVersion(before) === files.list.digest;
  return isLive && mode !== 'replace' && consumer === undefined && (trusted ?? before.trusted) === before.trusted;
}

const actions = { registered: 'register', updated: 'update', replaced: 'replace' } as const;

/** Returns the audit's entry of a registration that does more than make a version live. */
function entryOf(
  { id, folder, url, files, by, nowMs }: TimedApp,
  is: { readonly done: keyof typeof actions; readonly trusted: boolean; readonly from: string | undefined },
): Statement {
  const place = url ?? (files ? (folder ?? 'a packed file') : `live folder ${folder}`);
  return auditEntry({
    ...{ atMs: nowMs, actor: by, app: id, action: actions[is.done], from: is.from, to: files?.list.digest },
    ...{ outcome: 'done', detail: `from ${place}; ${is.trusted ? 'trusted' : 'members are asked'}` },
  });
}
