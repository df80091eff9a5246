import { randomBytes } from 'node:crypto';
import { type Database, type Statement, StoreError, seal, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { findKnownApp, type KnownApp } from './known-app.ts';
import { checkManifest } from './manifest.ts';
import { consumerOf, findSealedApps, sealPurpose } from './registrations.ts';
import { forgetDecisions } from './remove-app.ts';

/** An app to register. */
export interface AppRegistration {
  readonly id: string;
  /** Absolute path of a folder that Gantry serves. Exclusive with `url`. */
  readonly folder?: string;
  /** Absolute URL of the page on the app's own server; the manifest's `page` is then ignored. */
  readonly url?: string;
  readonly manifest: unknown;
  /** Grants what the app declares without asking members. Default: as before, at first false. */
  readonly trusted?: boolean | undefined;
  /**
   * Consumer of kind `app`, marked `container`, that signs the app's requests, and its secret. An
   * update keeps both if they are absent.
   */
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
}

/**
 * The relation of a registration to the id's earlier app (security rule 29): `new` expects none,
 * `update` the same app, `replace` another one.
 */
export type RegistrationMode = 'new' | 'update' | 'replace';

/** The mode of a registration, and its sources of time and names. */
export interface RegisterOptions {
  /** Default: `new`. */
  readonly mode?: RegistrationMode | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Returns the name of a new registration. Must never repeat. */
  readonly newRegistration?: (() => string) | undefined;
}

/** The statements that register an app, for one transaction. */
export interface RegistrationPlan {
  /** The app that is updated or replaced. */
  readonly known: KnownApp | undefined;
  readonly trusted: boolean;
  readonly statements: readonly Statement[];
}

/**
 * Plans the registration of an app; `runPlan` fails if another app has taken the id meanwhile. The
 * consumer's secret is sealed.
 *
 * @throws SocialError BAD_REQUEST for a faulty id, address or manifest; CONFLICT for a taken id.
 */
export async function planRegistration(
  db: Database,
  secretKey: Uint8Array,
  app: AppRegistration,
  options: RegisterOptions = {},
): Promise<RegistrationPlan> {
  const { mode = 'new', now = Date.now, newRegistration = () => randomBytes(12).toString('base64url') } = options;
  const { id, folder = null, url = null } = app;
  checkAddress(app);
  const manifest = JSON.stringify(checkManifest(app.manifest));
  const known = await findKnownApp(db, id);
  if (known) checkMode(app, known, mode);
  const same = mode === 'update' ? known : undefined;
  const consumer = await consumerFor(db, secretKey, app, same);
  const trusted = app.trusted ?? same?.trusted ?? false;
  const nowMs = now();
  const row = [
    ...[id, folder, url, manifest, trusted ? 1 : 0],
    ...[consumer.key, seal(secretKey, consumer.secret, sealPurpose(id))],
    ...[same?.registration ?? newRegistration(), same ? (same.registeredAtMs ?? null) : nowMs, same ? nowMs : null],
    same?.isPaused ? 1 : 0,
  ];
  const statements = [
    // A row of any other registration stays, and its primary key fails the insertion.
    ...(known ? [sql`delete from app_registrations where id = ${id} and registration = ${known.registration}`] : []),
    sql`delete from removed_apps where id = ${id}`,
    ...(same ? [] : forgetDecisions(id, known)),
    sql`
      insert into app_registrations (id, folder, url, manifest, trusted, consumer_key, consumer_secret, registration,
        registered_at_ms, updated_at_ms, paused)
      values ${sql.rows([row])}`,
  ];
  return { known, trusted, statements };
}

/**
 * Runs a plan, with statements of the caller if need be, as one transaction.
 *
 * @throws SocialError CONFLICT if the app changed since the plan was made.
 */
export async function runPlan(db: Database, statements: readonly Statement[]): Promise<void> {
  try {
    await db.batch(statements);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.reason !== 'constraint') throw cause;
    const message = 'The app was changed by somebody else meanwhile. Nothing was changed; try again.';
    throw new SocialError('CONFLICT', message, { cause });
  }
}

async function consumerFor(
  db: Database,
  secretKey: Uint8Array,
  { id, consumerKey: key, consumerSecret: secret }: AppRegistration,
  same: KnownApp | undefined,
): Promise<{ readonly key: string; readonly secret: string }> {
  if (key !== undefined && secret !== undefined) return { key, secret };
  const [row] = same && same.removedAtMs === undefined ? await findSealedApps(db, [id]) : [];
  if (row === undefined) throw new SocialError('BAD_REQUEST', 'An app needs a key and its secret.');
  return consumerOf(secretKey, row);
}

function checkAddress({ id, folder, url }: AppRegistration): void {
  const refuse = (message: string) => new SocialError('BAD_REQUEST', message);
  if (!isId(id)) throw refuse('The id of an app is 1 to 64 of the characters A-Z a-z 0-9 . _ : -');
  if ((folder === undefined) === (url === undefined)) throw refuse('An app has either a folder or a URL.');
  if (url !== undefined && !isPageUrl(url)) {
    throw refuse('The URL of an app must be that of its page, such as https://apps.example/friends.html.');
  }
}

// Without fragment: the container puts the handshake there.
function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !href.includes('#');
}

/**
 * Refuses a registration that contradicts its mode. Folders may change; a remote app is identified
 * by its origin.
 *
 * @throws SocialError CONFLICT for a taken id, BAD_REQUEST for an update by another app or a
 * replacement with the old key.
 */
function checkMode(app: AppRegistration, known: KnownApp, mode: RegistrationMode): void {
  const { id, name, source, removedAtMs, consumerKey } = known;
  switch (mode) {
    case 'new': {
      const has = removedAtMs === undefined ? 'is' : 'was';
      throw new SocialError('CONFLICT', `${id} ${has} the id of ${name}. Say whether this is the same app or another.`);
    }
    case 'replace':
      if (app.consumerKey !== consumerKey) return;
      throw new SocialError(
        'BAD_REQUEST',
        `The key ${consumerKey} belongs to the replaced app: with it the new app would read its data. It needs a key of its own.`,
      );
    case 'update':
      if ((source.kind === 'remote') !== (app.url !== undefined)) {
        throw notTheSame(`${id} came from ${source.kind === 'remote' ? 'a server of its own' : 'a folder'}`);
      }
      if (source.kind === 'remote' && new URL(source.url).origin !== new URL(app.url as string).origin) {
        throw notTheSame(`${id} came from ${new URL(source.url).origin}`);
      }
  }
}

function notTheSame(was: string): SocialError {
  return new SocialError('BAD_REQUEST', `${was}. An app from elsewhere is another app (--replace), not an update.`);
}
