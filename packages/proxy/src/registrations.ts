import { type Database, type Statement, sql, unseal } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Manifest } from './manifest.ts';

/** An app that the site may show. Holds no secret and no key. */
export interface RegisteredApp {
  readonly id: string;
  /** `served`: its files come from us, with our headers. `remote`: only the frame's sandbox attribute holds. */
  readonly source:
    | { readonly kind: 'served'; readonly folder: string }
    | { readonly kind: 'remote'; readonly url: string };
  readonly manifest: Manifest;
  /** True where members are not asked for what it declares. */
  readonly trusted: boolean;
  /** Names what was registered under the id: `--update` keeps it, `--replace` makes a new one. `''` for an app from 0.1. */
  readonly registration: string;
  /** Absent for an app from 0.1. */
  readonly registeredAtMs?: number;
  readonly updatedAtMs?: number;
}

/** What signs an app's requests. Stays inside this package. */
export interface Consumer {
  readonly key: string;
  readonly secret: string;
}

/** Every registered app, by id. */
export async function listApps(db: Database): Promise<readonly RegisteredApp[]> {
  const rows = await db.query<AppRow>(sql`select ${appRow} from app_registrations order by length(id), id`);
  return rows.map(appOf);
}

/** The registered ones of `ids`, by id. */
export async function findApps(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, RegisteredApp>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<AppRow>(sql`select ${appRow} from app_registrations where id in (${sql.list(ids)})`);
  return new Map(rows.map((row) => [row.id, appOf(row)]));
}

/** A registration as it is stored. */
export interface SealedRow extends AppRow {
  readonly consumer_key: string;
  /** Sealed anew by each registration, so no two have the same. */
  readonly consumer_secret: string;
}

export function findSealed(db: Database, ids: readonly string[]): Promise<readonly SealedRow[]> {
  return db.query<SealedRow>(sql`
    select ${appRow}, consumer_key, consumer_secret from app_registrations where id in (${sql.list(ids)})`);
}

/** Unseals what signs for an app. */
export function consumerOf(
  secretKey: Uint8Array,
  { id, consumer_key: key, consumer_secret: sealed }: SealedRow,
): Consumer {
  return { key, secret: unseal(secretKey, sealed, sealedFor(id)) };
}

/** Columns of an `AppRow`. */
export const appRow = sql`
  id, folder, url, manifest, trusted, app_registrations.registration, registered_at_ms, updated_at_ms`;

export interface AppRow {
  readonly id: string;
  readonly folder: string | null;
  readonly url: string | null;
  readonly manifest: string;
  readonly trusted: number;
  readonly registration: string;
  readonly registered_at_ms: number | null;
  readonly updated_at_ms: number | null;
}

export function appOf(row: AppRow): RegisteredApp {
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

/** A condition that is true while an id stands for this registration (security rule 29). */
export function isRegistered(id: string, registration: string): Statement {
  return sql`exists (select 1 from app_registrations where id = ${id} and registration = ${registration})`;
}

export function sourceOf({ folder, url }: Pick<AppRow, 'folder' | 'url'>): RegisteredApp['source'] {
  return folder === null ? { kind: 'remote', url: url as string } : { kind: 'served', folder };
}

/** Refuses what was begun for an app that another one has replaced. */
export function appReplaced(): SocialError {
  return new SocialError('APP_REPLACED', 'Another app has this id now.');
}

export function appPaused(): SocialError {
  return new SocialError('APP_PAUSED', 'The site has paused this app.');
}

// It was checked when it was registered, by a version of Gantry that may not have known every member.
function storedManifest(json: string): Manifest {
  return { optional: { uses: [], fields: [] }, storage: false, ...JSON.parse(json) };
}

// A sealed secret that is copied to another app's row does not open there.
export function sealedFor(id: string): string {
  return `app/${id}`;
}
