import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LabApp } from '@gantry/lab';
import { appIdOf, manifestPath, readAppManifest } from '@gantry/lab/host';

/** Content of a `gadget.json` without pages. `name` defaults to the id. */
export interface GadgetManifest {
  readonly name?: string;
  readonly uses?: readonly string[];
  readonly [member: string]: unknown;
}

/**
 * Finds the app under test, or makes one of a manifest.
 *
 * @param app Folder with a `gadget.json`, there or in `public`; content of one; or a registration.
 * @returns The app, and the function that removes temporary files.
 * @throws Error in one sentence for a folder without a `gadget.json`.
 */
export async function findApp(
  app: string | LabApp | GadgetManifest,
): Promise<{ readonly app: LabApp; forget(): Promise<void> }> {
  if (typeof app === 'string') {
    const folder = resolve(app);
    if (!existsSync(manifestPath(folder))) throw new Error(`There is no app in ${folder}: it has no gadget.json.`);
    return { app: { id: appIdOf(folder), folder, manifest: await readAppManifest(folder) }, forget: async () => {} };
  }
  if ('id' in app && ('folder' in app || 'url' in app)) return { app: app as LabApp, forget: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'gantry-app-'));
  await writeFile(join(folder, page), ''); // the proxy mounts an app only if its page exists
  const manifest = { name: id, ...(app as GadgetManifest), page };
  return { app: { id, folder, manifest }, forget: () => rm(folder, { recursive: true, force: true }) };
}

const id = 'app-under-test';
const page = 'index.html';
