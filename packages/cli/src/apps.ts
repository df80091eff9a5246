import { checkManifest, readManifest, registerApp, removeApp, reportEnd } from '@gantry/proxy';
import { addConsumer, endHaving, listConsumers, revokeConsumer, saveApp } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import type { Stores } from './create-gantry.ts';
import { kindOf } from './create-site-proxy.ts';

/** An app to register: a folder that Gantry serves, or the address of a remote app's own server. */
export type AppSource =
  | { readonly id: string; readonly folder: string }
  | {
      readonly id: string;
      readonly url: string;
      readonly title: string;
      /** What its `gadget.json` says. Without one it may ask the site for nothing. */
      readonly manifest?: object;
    };

/**
 * Registers an app with the service and the proxy, with a fresh key that only the proxy uses. Registering again
 * replaces manifest, address and key; what the app stored and posted stays.
 *
 * @param app.consumer Issued by an existing site, behind `gantry proxy`; otherwise the proxy's database holds a site's too.
 * @param app.trusted The site answers for it: members are not asked for what it declares.
 * @throws SocialError BAD_REQUEST that says what is wrong with the id, the address or the manifest.
 */
export async function addApp(
  stores: Stores,
  app: AppSource & {
    readonly trusted?: boolean;
    readonly consumer?: { readonly key: string; readonly secret: string };
  },
): Promise<{ name: string }> {
  const { db, secretKey } = stores;
  const manifest =
    'folder' in app
      ? await readManifest(app.folder)
      : checkManifest({ page: 'index.html', ...app.manifest, name: app.title });
  if (app.consumer) {
    const { key, secret } = app.consumer;
    await registerApp(
      db,
      secretKey,
      { ...app, manifest, consumerKey: key, consumerSecret: secret },
      { mode: 'update' },
    );
    return { name: manifest.name };
  }
  if ((await kindOf(db)) === 'proxy') {
    throw new SocialError('BAD_REQUEST', 'Behind gantry proxy the site issues the key of an app: name it with --key.');
  }
  const old = await containerKeys(stores, app.id);
  await saveApp(db, { id: app.id, title: manifest.name, url: 'url' in app ? app.url : '' });
  const { key, secret } = await addConsumer(db, { secretKey, kind: 'app', appId: app.id, container: true });
  await registerApp(db, secretKey, { ...app, manifest, consumerKey: key, consumerSecret: secret }, { mode: 'update' });
  for (const previous of old) await revokeConsumer(db, previous);
  return { name: manifest.name };
}

/** Forgets an app's address and the proxy's key for it. Answers false where there was no such app. */
export async function dropApp(stores: Stores, id: string): Promise<boolean> {
  const isSite = (await kindOf(stores.db)) === 'site';
  const keeping = { removesData: false, nowMs: Date.now() };
  const ends = isSite ? endHaving(id, keeping) : reportEnd(id, keeping);
  const removed = await removeApp(stores.db, id, { also: ends });
  if (!isSite) return removed;
  for (const key of await containerKeys(stores, id)) await revokeConsumer(stores.db, key);
  return removed;
}

async function containerKeys({ db }: Stores, app: string): Promise<string[]> {
  return (await listConsumers(db)).filter(({ appId, container }) => appId === app && container).map(({ key }) => key);
}
