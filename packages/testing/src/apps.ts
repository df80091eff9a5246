import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LabApp } from '@gantry/lab';
import { type AppFiles, appIds, createFolderFiles, pagesOf, readAppManifest } from '@gantry/lab/host';
import { needsVite } from '@gantry/lab/host/vite';
import { explain } from '@gantry/lab/record';
import { buildApp } from './build/build-app.ts';
import { explanationText } from './explain-app.ts';

/** An app under test, with its files where they are here. */
export interface AppUnderTest {
  readonly app: LabApp;
  readonly files?: AppFiles;
}

/**
 * Finds the apps that tests name, and builds those that a browser cannot run as they are.
 *
 * @param wanted Folders with a `gadget.json`, or registrations.
 * @param from Folder that the others are relative to.
 * @throws Error with the reason and its cure for an app that cannot be shown.
 */
export async function findApps(wanted: readonly (string | LabApp)[], from: string): Promise<readonly AppUnderTest[]> {
  if (wanted.length === 0) throw new Error('No app is named in apps: name its folder, which has a gadget.json.');
  const folders = await Promise.all(
    wanted.flatMap((one) => (typeof one === 'string' ? folderAt(resolve(from, one)) : [])),
  );
  const ids = appIds(folders);
  const named = await Promise.all(folders.map((folder, index) => openFolder(ids[index] as string, folder)));
  const registered = wanted.flatMap((one) => (typeof one === 'string' ? [] : one));
  return [...named, ...registered.map((app) => ({ app, ...filesOf(app) }))];
}

async function folderAt(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new Error(`There is no folder ${path}, which apps names.`);
  if (!stats.isDirectory()) throw new Error(`${path}, which apps names, is no folder: name the folder of gadget.json.`);
  return realpath(path);
}

async function openFolder(id: string, folder: string): Promise<AppUnderTest> {
  const manifest = await readAppManifest(folder).catch((cause: Error) => {
    const explanation = explain({ kind: 'manifest', problem: cause.message });
    throw new Error(`${folder}: ${explanation ? explanationText(explanation) : cause.message}`, { cause });
  });
  const pages = pagesOf(manifest);
  const served = (await needsVite(folder, pages)) ? await buildApp({ id, folder, pages }) : folder;
  const app: LabApp = { id, folder: served, manifest };
  return { app, ...filesOf(app) };
}

function filesOf(app: LabApp): Pick<AppUnderTest, 'files'> {
  return 'folder' in app ? { files: createFolderFiles({ app: app.id, folder: app.folder }) } : {};
}
