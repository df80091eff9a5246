// `npm start`: Tern Quay, a small community whose home page hosts five gadgets. The site is this
// folder; /gantry/ and /social/ are served as by `gantry serve`.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findKnownApp, listApps } from '@gantry/proxy';
import { addApp, readServerConfiguration, runServer, type Stores } from '@gantry/server';
import { importWorld, memberExists } from '@gantry/service';
import { type Community, createCommunity } from './community.ts';
import { createPages } from './pages.ts';
import { viewerOf } from './viewer.ts';
import { writeWorld } from './world.ts';

// The demo's apps, as their authors hand them over: three plain folders, two built. Birthdays is
// not trusted by the site: it asks members for its permissions.
const appFolders = {
  friends: 'apps/friends',
  stream: 'dist/apps/stream',
  notes: 'apps/notes',
  photos: 'dist/apps/photos',
  birthdays: 'apps/birthdays',
} as const;

async function start(): Promise<void> {
  const configuration = readServerConfiguration(process.argv.slice(2), process.env);
  const { promise: community, resolve: open } = Promise.withResolvers<Community>();
  const { promise: ready, resolve: setReady } = Promise.withResolvers<Stores>();
  const pages = community.then((value) => createPages({ community: value, appFrames, hasPreferences }));
  await runServer({
    configuration,
    viewer: async (request) => {
      const { find } = await community;
      return viewerOf(request, (id) => find(id) !== undefined);
    },
    signInUrl: '/',
    site: async (request) => (await pages)(request),
    prepare: async (stores) => {
      const file = await fill(stores, join(configuration.data, 'tern-quay'));
      for (const [id, folder] of Object.entries(appFolders)) {
        await addOwn(stores, { id, folder: join(import.meta.dirname, folder), trusted: id !== 'birthdays' });
      }
      setReady(stores);
      open(createCommunity(JSON.parse(await readFile(file, 'utf8'))));
    },
  });

  async function hasPreferences(id: string): Promise<boolean> {
    const apps = await listApps((await ready).db);
    return apps.some((app) => app.id === id && app.manifest.views?.preferences !== undefined);
  }
  function appFrames(siteOrigin: string): string {
    return configuration.appsHost ?? `${siteOrigin}/gantry/apps/`;
  }
}

/** Updates an app of the demo, unless another one replaced it (`gantry app add --replace`). */
async function addOwn(stores: Stores, app: { id: string; folder: string; trusted: boolean }): Promise<void> {
  const existing = await findKnownApp(stores.db, app.id);
  const { source } = existing ?? {};
  const isOwn = source?.kind === 'served' && (source.folder === app.folder || !existsSync(source.folder)); // or a moved clone
  if (existing === undefined || isOwn) await addApp(stores, { ...app, live: true, mode: 'update' });
}

/** Makes the community on the first start. Later starts keep the database and members' changes. */
async function fill(stores: Stores, folder: string): Promise<string> {
  const { file } = await writeWorld(folder, { now: Date.now() });
  if (!(await memberExists(stores.db, '1'))) {
    const world: unknown = JSON.parse(await readFile(file, 'utf8'));
    await importWorld(stores.db, world, { ...stores, folder });
  }
  return file;
}

await start();
