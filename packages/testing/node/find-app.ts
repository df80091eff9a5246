import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LabApp } from '@gantry/lab';
import { appIdOf } from '@gantry/lab/host';

/** Content of a `gadget.json` without pages. `name` defaults to the id. */
export interface GadgetManifest {
  readonly name?: string;
  readonly uses?: readonly string[];
  readonly [member: string]: unknown;
}

/** An app to register. */
export interface FoundApp {
  readonly app: LabApp;
  /** Removes temporary files. */
  forget(): Promise<void>;
}

/**
 * Finds the app under test, or makes one of a manifest.
 *
 * @param app Folder with a `gadget.json`, content of one, or a registration.
 * @throws Error in one sentence for a folder without a `gadget.json`.
 */
export async function findApp(app: string | LabApp | GadgetManifest): Promise<FoundApp> {
  if (typeof app === 'string') {
    const folder = resolve(app);
    const file = await stat(join(folder, 'gadget.json')).catch(() => undefined);
    if (!file?.isFile()) throw new Error(`There is no app in ${folder}: it has no gadget.json.`);
    return { app: { id: appIdOf(folder), folder }, forget: async () => {} };
  }
  if ('id' in app && ('folder' in app || 'url' in app)) return { app: app as LabApp, forget: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'gantry-app-'));
  await writeFile(join(folder, page), ''); // the proxy mounts an app only if its page exists
  const manifest = { name: id, ...(app as GadgetManifest), page };
  return { app: { id, folder, manifest }, forget: () => rm(folder, { recursive: true, force: true }) };
}

const id = 'app-under-test';
const page = 'index.html';
