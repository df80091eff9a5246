import { randomBytes } from 'node:crypto';
import {
  checkManifest,
  findKnownApp,
  type KnownApp,
  logAppChange,
  planRegistration,
  proxyChangeLog,
  type RegistrationMode,
  readManifest,
  reportAppEnd,
  runPlan,
} from '@gantry/proxy';
import {
  appExists,
  appStatement,
  endAppKeys,
  newConsumer,
  retireApp,
  retiredPrefix,
  siteChanges,
} from '@gantry/service';
import type { Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { databaseKind } from '../data/database-kind.ts';
import type { Stores } from '../data/stores.ts';
import { checkAppId } from './app-id.ts';
import { takenMessage } from './taken-id.ts';

/** An app to register: a folder that Gantry serves, or the URL of an app on its own server. */
export type AppSource =
  | {
      readonly id: string;
      readonly folder: string;
      /** Content of its `gadget.json`, if already read. */
      readonly manifest?: object;
    }
  | {
      readonly id: string;
      readonly url: string;
      readonly title: string;
      /** Content of its `gadget.json`. Absent: it may ask the site for nothing. */
      readonly manifest?: object;
    };

export interface AddOptions {
  /**
   * Relation to the app that has the id, or had it last. `new`: none may exist. `update`: the same
   * app; members keep their grants. `replace`: another app; everything of the old one ends.
   * Default: `new`.
   */
  readonly mode?: RegistrationMode | undefined;
  /** The site trusts the app: members are not asked. Default: unchanged, at first false. */
  readonly trusted?: boolean | undefined;
  /** Key issued by an existing site, behind `gantry proxy`; a whole site issues its own. */
  readonly consumer?: { readonly key: string; readonly secret: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Random bytes for the key, its secret and the registration's id. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/** A registered app, and what registering changed. */
export interface AddedApp {
  readonly id: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly done: 'registered' | 'updated' | 'replaced';
  /** The app that was updated or replaced. */
  readonly before?: KnownApp;
}

/**
 * Registers an app with service and proxy, with a new key that only the proxy uses (security rule
 * 29).
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * const url = 'https://apps.example/quiz/';
 * (await addApp(stores, { id: 'quiz', url, title: 'Quiz' })).done; // 'registered'
 * await addApp(stores, { id: 'quiz', url, title: 'Quiz' }); // throws CONFLICT
 * await stores.db.close();
 * @throws SocialError CONFLICT for a taken id without `mode`; BAD_REQUEST that names the fault in
 * id, address or manifest.
 */
export async function addApp(stores: Stores, app: AppSource & AddOptions): Promise<AddedApp> {
  const { db, secretKey } = stores;
  const { id, mode = 'new', now = Date.now, random = randomBytes } = app;
  const newRegistration = () => Buffer.from(random(12)).toString('base64url');
  const manifest =
    'folder' in app
      ? await (app.manifest ? checkManifest(app.manifest) : readManifest(app.folder))
      : checkManifest({ page: 'index.html', ...app.manifest, name: app.title });
  const before = await findKnownApp(db, id);
  checkAppId(id, { isUpdate: before !== undefined && mode === 'update' });
  if (before && mode === 'new') throw new SocialError('CONFLICT', await takenMessage(stores, before));

  const isSite = app.consumer === undefined && (await databaseKind(db)) !== 'proxy';
  if (!isSite && app.consumer === undefined && (mode !== 'update' || !before || before.removedAtMs !== undefined)) {
    throw new SocialError(
      'BAD_REQUEST',
      'Behind gantry proxy the site issues the keys of apps: pass the key with --key.',
    );
  }
  const issued = isSite ? newConsumer({ secretKey, now, random, kind: 'app', appId: id, container: true }) : undefined;
  const { key: consumerKey, secret: consumerSecret } = issued ?? app.consumer ?? {};
  const place = 'folder' in app ? { folder: app.folder } : { url: app.url };
  const registration = { id, ...place, manifest, trusted: app.trusted, consumerKey, consumerSecret };
  const { statements, trusted } = await planRegistration(db, secretKey, registration, { mode, now, newRegistration });
  const ends = mode === 'replace' && (before !== undefined || (isSite && (await appExists(db, id))));
  await runPlan(db, [
    ...(issued ? siteStatements(app, { title: manifest.name, ends, issued }) : []),
    ...statements,
    ...(ends && !isSite ? reportAppEnd(id, { removesData: true, nowMs: now() }) : []),
    ...(ends || before ? [logAppChange(isSite ? siteChanges : proxyChangeLog, id)] : []),
  ]);
  const updated = before && mode === 'update' ? 'updated' : 'registered';
  return { id, name: manifest.name, trusted, done: ends ? 'replaced' : updated, ...(before && { before }) };
}

/** Returns the service's statements: the old app's data ends as the new app starts. */
function siteStatements(
  app: AppSource,
  { title, ends, issued }: { title: string; ends: boolean; issued: ReturnType<typeof newConsumer> },
): readonly Statement[] {
  const { id } = app;
  const retiredId = `${retiredPrefix}${randomBytes(12).toString('base64url')}`;
  return [
    ...(ends ? retireApp({ id, retiredId }) : []),
    appStatement({ id, title, url: 'url' in app ? app.url : '' }),
    issued.statement,
    endAppKeys(id, { containerBut: issued.key }),
  ];
}
