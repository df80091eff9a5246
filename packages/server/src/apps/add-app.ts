import { randomBytes } from 'node:crypto';
import {
  type AddMode,
  appChanged,
  checkManifest,
  findKnownApp,
  type KnownApp,
  planRegistration,
  proxyChanges,
  readManifest,
  reportEnd,
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
import { kindOf } from '../create-site-proxy.ts';
import type { Stores } from '../gantry.ts';
import { checkAppId } from './app-id.ts';
import { takenMessage } from './taken.ts';

/** An app to register: a folder that Gantry serves, or the address of a remote app's own server. */
export type AppSource =
  | {
      readonly id: string;
      readonly folder: string;
      /** Content of its `gadget.json`, where it was read already. */
      readonly manifest?: object;
    }
  | {
      readonly id: string;
      readonly url: string;
      readonly title: string;
      /** Content of its `gadget.json`. Without one it may ask the site for nothing. */
      readonly manifest?: object;
    };

export interface AddOptions {
  /**
   * The relation of the app to the one that has the id, or had it last. `new`: there must be none. `update`: it is the
   * same app; members keep what they allowed. `replace`: it is another; all of the old one ends. Default: `new`.
   */
  readonly mode?: AddMode | undefined;
  /** The site answers for it: members are not asked for what it declares. Default: as before, at first false. */
  readonly trusted?: boolean | undefined;
  /** Issued by an existing site, behind `gantry proxy`; otherwise the proxy's database holds a site's too. */
  readonly consumer?: { readonly key: string; readonly secret: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Random bytes of the key, its secret and the name of the registration. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/** An app as it was registered. */
export interface AddedApp {
  readonly id: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly done: 'registered' | 'updated' | 'replaced';
  /** The app that was updated or replaced. */
  readonly before?: KnownApp;
}

/**
 * Registers an app with the service and the proxy, with a fresh key that only the proxy uses (security rule 29).
 *
 * @example
 * await addApp(stores, { id: 'friends', folder: '/srv/friends', mode: 'update', trusted: true });
 * @throws SocialError CONFLICT for a taken id without `mode`; BAD_REQUEST that says what is wrong with id, address or manifest.
 */
export async function addApp(stores: Stores, app: AppSource & AddOptions): Promise<AddedApp> {
  const { db, secretKey } = stores;
  const { id, mode = 'new', now = Date.now, random = randomBytes } = app;
  const newRegistration = () => Buffer.from(random(12)).toString('base64url');
  const manifest =
    'folder' in app
      ? await (app.manifest ? checkManifest(app.manifest) : readManifest(app.folder))
      : checkManifest({ page: 'index.html', ...app.manifest, name: app.title });
  const known = await findKnownApp(db, id);
  checkAppId(id, { isUpdate: known !== undefined && mode === 'update' });
  if (known && mode === 'new') throw new SocialError('CONFLICT', await takenMessage(stores, known));
  const place = 'folder' in app ? { folder: app.folder } : { url: app.url };
  const registration = { id, ...place, manifest, trusted: app.trusted };
  const plan = (key: string | undefined, secret: string | undefined) =>
    planRegistration(
      db,
      secretKey,
      { ...registration, consumerKey: key, consumerSecret: secret },
      { mode, now, newRegistration },
    );

  const isSite = app.consumer === undefined && (await kindOf(db)) !== 'proxy';
  if (!isSite && app.consumer === undefined && (mode !== 'update' || !known || known.removedAtMs !== undefined)) {
    throw new SocialError('BAD_REQUEST', 'Behind gantry proxy the site issues the key of an app: name it with --key.');
  }
  const own = isSite ? newConsumer({ secretKey, now, random, kind: 'app', appId: id, container: true }) : undefined;
  const { key, secret } = own ?? app.consumer ?? {};
  const { statements, trusted } = await plan(key, secret);
  const ends = mode === 'replace' && (known !== undefined || (isSite && (await appExists(db, id))));
  await runPlan(db, [
    ...(own ? siteStatements(app, { title: manifest.name, ends, own }) : []),
    ...statements,
    ...(ends && !isSite ? reportEnd(id, { removesData: true, nowMs: now() }) : []),
    ...(ends ? [appChanged(isSite ? siteChanges : proxyChanges, id)] : []),
  ]);
  const updated = known && mode === 'update' ? 'updated' : 'registered';
  return { id, name: manifest.name, trusted, done: ends ? 'replaced' : updated, ...(known && { before: known }) };
}

/** The service's part: what its tables hold of the old app ends in the transaction that begins the new one. */
function siteStatements(
  app: AppSource,
  {
    title,
    ends,
    own: { key, statement },
  }: { readonly title: string; readonly ends: boolean; readonly own: ReturnType<typeof newConsumer> },
): readonly Statement[] {
  const { id } = app;
  return [
    ...(ends ? retireApp({ id, retiredId: newRetiredId() }) : []),
    appStatement({ id, title, url: 'url' in app ? app.url : '' }),
    statement,
    endAppKeys(id, { containerBut: key }),
  ];
}

function newRetiredId(): string {
  return `${retiredPrefix}${randomBytes(12).toString('base64url')}`;
}
