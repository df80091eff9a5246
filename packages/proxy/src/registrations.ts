import { type Database, type Statement, seal, sql, unseal } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { checkManifest, type Manifest } from './manifest.ts';

/** What `registerApp` takes. */
export interface AppRegistration {
  readonly id: string;
  /** Absolute path of a folder that Gantry serves. Either this or `url`. */
  readonly folder?: string;
  /** Absolute URL of the page on the app's own server; the manifest's `page` then means nothing. */
  readonly url?: string;
  readonly manifest: unknown;
  /** The site answers for it: members are not asked for what it declares. */
  readonly trusted?: boolean;
  /** Consumer of kind `app`, marked `container`, that signs what this app asks for. */
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

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
}

/** What signs an app's requests. Stays inside this package. */
export interface Consumer {
  readonly key: string;
  readonly secret: string;
}

/**
 * Registers an app, or replaces the registration of the same id. The secret is encrypted at rest.
 *
 * @throws SocialError BAD_REQUEST that says what is wrong with the id, the address or the manifest.
 */
export async function registerApp(db: Database, secretKey: Uint8Array, app: AppRegistration): Promise<void> {
  const { id, folder = null, url = null, trusted = false } = app;
  if (!isId(id))
    throw new SocialError('BAD_REQUEST', 'The id of an app is 1 to 64 of the characters A-Z a-z 0-9 . _ : -');
  if ((folder === null) === (url === null)) {
    throw new SocialError('BAD_REQUEST', 'An app has either a folder that we serve or a URL of its own.');
  }
  if (url !== null && !isPageUrl(url)) {
    throw new SocialError(
      'BAD_REQUEST',
      'The URL of an app is that of its page, such as https://apps.example/friends.html.',
    );
  }
  const manifest = JSON.stringify(checkManifest(app.manifest));
  const secret = seal(secretKey, app.consumerSecret, sealedFor(id));
  await db.query(sql`
    insert into app_registrations (id, folder, url, manifest, trusted, consumer_key, consumer_secret)
    values (${id}, ${folder}, ${url}, ${manifest}, ${trusted ? 1 : 0}, ${app.consumerKey}, ${secret})
    on conflict (id) do update set folder = excluded.folder, url = excluded.url, manifest = excluded.manifest,
      trusted = excluded.trusted, consumer_key = excluded.consumer_key, consumer_secret = excluded.consumer_secret`);
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

/**
 * Forgets an app, what members let it do and how its writes ended: another one of this id has to ask, and knows nothing.
 *
 * @param also What goes in the same transaction: who has the app.
 * @returns false where there was no such app.
 */
export async function removeApp(db: Database, id: string, also: readonly Statement[] = []): Promise<boolean> {
  const [removed = []] = await db.batch([
    sql`delete from app_registrations where id = ${id} returning id`,
    sql`delete from app_grants where app_id = ${id}`,
    sql`delete from write_log where app = ${id}`,
    ...also,
  ]);
  return removed.length > 0;
}

/** Columns of an `AppRow`. */
export const appRow = sql`id, folder, url, manifest, trusted`;

export interface AppRow {
  readonly id: string;
  readonly folder: string | null;
  readonly url: string | null;
  readonly manifest: string;
  readonly trusted: number;
}

export function appOf({ id, folder, url, manifest, trusted }: AppRow): RegisteredApp {
  const source =
    folder === null ? { kind: 'remote' as const, url: url as string } : { kind: 'served' as const, folder };
  return { id, source, manifest: storedManifest(manifest), trusted: trusted === 1 };
}

// It was checked when it was registered, by a version of Gantry that may not have known every member.
function storedManifest(json: string): Manifest {
  return { optional: { uses: [], fields: [] }, storage: false, ...JSON.parse(json) };
}

// A sealed secret that is copied to another app's row does not open there.
function sealedFor(id: string): string {
  return `app/${id}`;
}

// Without fragment: it is the container's, which puts the handshake there.
function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !href.includes('#');
}
