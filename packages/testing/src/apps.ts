import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock, LabApp } from '@gantry/lab';
import {
  type AppFiles,
  appIds,
  createFolderFiles,
  createLabDocuments,
  type LabDocuments,
  readAgent,
} from '@gantry/lab/host';

/** An app under test, with its files where they are here. */
export interface AppUnderTest {
  readonly app: LabApp;
  readonly files?: AppFiles;
}

/**
 * Finds the apps that tests name.
 *
 * @param wanted Folders with a `gadget.json`, or registrations.
 * @param from Folder that the others are relative to.
 * @throws Error in one sentence for a folder without a `gadget.json`.
 */
export async function findApps(wanted: readonly (string | LabApp)[], from: string): Promise<readonly AppUnderTest[]> {
  const folders = wanted.flatMap((one) => (typeof one === 'string' ? resolve(from, one) : []));
  for (const folder of folders) {
    const found = await stat(join(folder, 'gadget.json')).catch(() => undefined);
    if (!found?.isFile())
      throw new Error(`There is no app in ${folder}: it has no gadget.json. Name its folder in apps.`);
  }
  const ids = appIds(folders);
  const named = folders.map((folder, index): LabApp => ({ id: ids[index] as string, folder }));
  const registered = wanted.flatMap((one) => (typeof one === 'string' ? [] : one));
  return [...named, ...registered].map((app) => ({
    app,
    ...('folder' in app && { files: createFolderFiles({ app: app.id, folder: app.folder }) }),
  }));
}

/** Serves the files of apps with the agent in their pages. */
export function createAppDocuments(
  apps: readonly AppUnderTest[],
  { url, clock }: { readonly url: string; readonly clock: Clock },
): LabDocuments {
  return createLabDocuments({
    run: randomBytes(9).toString('base64url'),
    filesOf: (id) => apps.find(({ app }) => app.id === id)?.files,
    agent: readAgent(),
    settingsOf: (app) => ({ origin: url, app, clock: clock.state }),
  });
}
