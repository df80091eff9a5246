import { randomBytes } from 'node:crypto';
import { type Database, type Statement, StoreError, seal, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { findKnownApp, type KnownApp } from './known-app.ts';
import { checkManifest } from './manifest.ts';
import { consumerOf, findSealed, sealedFor } from './registrations.ts';
import { forgetDecisions } from './remove-app.ts';
import { type AddMode, checkMode } from './same-app.ts';

/** An app to register. */
export interface AppRegistration {
  readonly id: string;
  /** Absolute path of a folder that Gantry serves. Either this or `url`. */
  readonly folder?: string;
  /** Absolute URL of the page on the app's own server; the manifest's `page` then means nothing. */
  readonly url?: string;
  readonly manifest: unknown;
  /** The site answers for it: members are not asked for what it declares. Default: as before, at first false. */
  readonly trusted?: boolean | undefined;
  /**
   * Consumer of kind `app`, marked `container`, that signs what this app asks for, and its secret. An update may leave
   * both out, and keeps those that it has.
   */
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
}

export interface RegisterOptions {
  /** Default: `new`. */
  readonly mode?: AddMode | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Names the registration of an app that is not the same as before. Must never repeat. */
  readonly newRegistration?: (() => string) | undefined;
}

/** The statements that register an app, to be run as one transaction, and the app that they update or replace. */
export interface RegistrationPlan {
  readonly known: KnownApp | undefined;
  readonly trusted: boolean;
  readonly statements: readonly Statement[];
}

/**
 * Registers an app. The secret is encrypted at rest.
 *
 * @throws SocialError BAD_REQUEST that says what is wrong with the id, the address or the manifest; CONFLICT for a taken id.
 */
export async function registerApp(
  db: Database,
  secretKey: Uint8Array,
  app: AppRegistration,
  options: RegisterOptions = {},
): Promise<void> {
  const { statements } = await planRegistration(db, secretKey, app, options);
  await runPlan(db, statements);
}

/**
 * Decides how `registerApp` changes the database. The plan fails as a whole if the id has come to stand for another app
 * when it is run.
 *
 * @throws SocialError as `registerApp`.
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
    ...[consumer.key, seal(secretKey, consumer.secret, sealedFor(id))],
    ...[same?.registration ?? newRegistration(), same ? (same.registeredAtMs ?? null) : nowMs, same ? nowMs : null],
    same?.isPaused ? 1 : 0,
  ];
  const statements = [
    // The row of any other registration stays, and its primary key then fails the insertion.
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

/** Runs a plan, perhaps with statements of others. @throws SocialError CONFLICT where another one was faster. */
export async function runPlan(db: Database, statements: readonly Statement[]): Promise<void> {
  try {
    await db.batch(statements);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.reason !== 'constraint') throw cause;
    throw new SocialError(
      'CONFLICT',
      'The app was changed by somebody else meanwhile. Nothing was changed; try again.',
      {
        cause,
      },
    );
  }
}

async function consumerFor(
  db: Database,
  secretKey: Uint8Array,
  { id, consumerKey: key, consumerSecret: secret }: AppRegistration,
  same: KnownApp | undefined,
): Promise<{ readonly key: string; readonly secret: string }> {
  if (key !== undefined && secret !== undefined) return { key, secret };
  const [row] = same && same.removedAtMs === undefined ? await findSealed(db, [id]) : [];
  if (row === undefined) throw new SocialError('BAD_REQUEST', 'An app needs a key, and the secret of that key.');
  return consumerOf(secretKey, row);
}

function checkAddress({ id, folder, url }: AppRegistration): void {
  if (!isId(id))
    throw new SocialError('BAD_REQUEST', 'The id of an app is 1 to 64 of the characters A-Z a-z 0-9 . _ : -');
  if ((folder === undefined) === (url === undefined)) {
    throw new SocialError('BAD_REQUEST', 'An app has either a folder that we serve or a URL of its own.');
  }
  if (url !== undefined && !isPageUrl(url)) {
    throw new SocialError(
      'BAD_REQUEST',
      'The URL of an app is that of its page, such as https://apps.example/friends.html.',
    );
  }
}

// Without fragment: it is the container's, which puts the handshake there.
function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !href.includes('#');
}
