import { type Database, type Statement, seal, sql, unseal } from '@gantry/store';
import { SocialError, shownName } from '@gantry/wire';
import type { Manifest } from './manifest.ts';

/** Folder of an app whose live version came without one. */
export const noFolder = '/dev/null';

/**
 * The place of an app's files. Gantry sends the files and headers of a `stored` version, named by
 * its digest, and of a `served` folder; for a `remote` app only the frame's sandbox holds.
 */
export type AppPlace =
  /** `folder`: the one that the live version was made from, if it came from one. */
  | { readonly kind: 'stored'; readonly version: string; readonly folder?: string }
  | { readonly kind: 'served'; readonly folder: string }
  | { readonly kind: 'remote'; readonly url: string };

/** A registered app. Holds no secret and no key. */
export interface RegisteredApp {
  readonly id: string;
  readonly source: AppPlace;
  readonly manifest: Manifest;
  /** Has what it declares without asking members. */
  readonly trusted: boolean;
  /** Name of this registration: `--update` keeps it, `--replace` renews it. `''` from 0.1. */
  readonly registration: string;
  /** Absent for an app from 0.1. */
  readonly registeredAtMs?: number;
  readonly updatedAtMs?: number;
}

/** Key and secret that sign an app's requests. Stays inside this package (security rule 8). */
export interface Consumer {
  readonly key: string;
  readonly secret: string;
}

/** Lists the registered apps by id. */
export async function listApps(db: Database): Promise<readonly RegisteredApp[]> {
  const rows = await db.query<AppRow>(sql`select ${appColumns} from app_registrations order by length(id), id`);
  return rows.map(toRegisteredApp);
}

export async function findApp(db: Database, id: string): Promise<RegisteredApp | undefined> {
  const [row] = await db.query<AppRow>(sql`select ${appColumns} from app_registrations where id = ${id}`);
  return row && toRegisteredApp(row);
}

/** A registration with its sealed consumer. */
export interface SealedRow extends AppRow {
  readonly consumer_key: string;
  /** Sealed anew by each registration, so it is unique. */
  readonly consumer_secret: string;
}

export function findSealedApps(db: Database, ids: readonly string[]): Promise<readonly SealedRow[]> {
  return db.query<SealedRow>(sql`
    select ${appColumns}, consumer_key, consumer_secret from app_registrations where id in (${sql.list(ids)})`);
}

export function consumerOf(
  secretKey: Uint8Array,
  { id, consumer_key: key, consumer_secret: sealed }: SealedRow,
): Consumer {
  return { key, secret: unseal(secretKey, sealed, sealPurpose(id)) };
}

/** Replaces the secret that signs an app's requests. */
export function replaceAppSecret(id: string, secret: string, secretKey: Uint8Array): Statement {
  return sql`update app_registrations set consumer_secret = ${seal(secretKey, secret, sealPurpose(id))} where id = ${id}`;
}

/** Names an app in `write_log`, where a replacement has none of its writes (security rule 29). */
export function writerOf({ id, registration }: { readonly id: string; readonly registration: string }): string {
  return registration === '' ? id : `${id} ${registration}`; // no id has a space
}

export const appColumns = sql`
  id, folder, url, app_registrations.version, manifest, trusted, app_registrations.registration, registered_at_ms,
  updated_at_ms`;

export interface AppRow {
  readonly id: string;
  readonly folder: string | null;
  readonly url: string | null;
  readonly version: string | null;
  readonly manifest: string;
  readonly trusted: number;
  readonly registration: string;
  readonly registered_at_ms: number | null;
  readonly updated_at_ms: number | null;
}

export function toRegisteredApp(row: AppRow): RegisteredApp {
  const { id, manifest, trusted, registration, registered_at_ms: registeredAtMs, updated_at_ms: updatedAtMs } = row;
  return {
    id,
    source: sourceOf(row),
    manifest: storedManifest(manifest),
    trusted: trusted === 1,
    registration,
    ...(registeredAtMs !== null && { registeredAtMs }),
    ...(updatedAtMs !== null && { updatedAtMs }),
  };
}

/** Returns a condition that holds while this registration has the id (security rule 29). */
export function isRegistered(id: string, registration: string): Statement {
  return sql`exists (select 1 from app_registrations where id = ${id} and registration = ${registration})`;
}

export function sourceOf({ folder, url, version = null }: Pick<AppRow, 'folder' | 'url'> & Partial<AppRow>): AppPlace {
  if (version !== null) return { kind: 'stored', version, ...(folder !== null && folder !== noFolder && { folder }) };
  return folder === null ? { kind: 'remote', url: url as string } : { kind: 'served', folder };
}

/** Returns the error for work that began for an app that was replaced meanwhile. */
export function appReplaced(): SocialError {
  return new SocialError('APP_REPLACED', 'Another app has this id now.');
}

export function appPaused(): SocialError {
  return new SocialError('APP_PAUSED', 'The site has paused this app.');
}

// Validated when it was registered, perhaps by a version that lacked the newer members.
export function storedManifest(json: string): Manifest {
  const manifest = { optional: { uses: [], fields: [] }, storage: false, data: 0, ...JSON.parse(json) };
  return { ...manifest, name: shownName(manifest.name) };
}

// A sealed secret does not open in another app's row.
export function sealPurpose(id: string): string {
  return `app/${id}`;
}
