import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, readManifest } from '@gantry/proxy';

/**
 * Reads the `gadget.json` of an app's sources, in its folder or in `public`.
 *
 * @example
 * (await readAppManifest('demo/apps/notes')).name; // 'Notes'
 * @throws SocialError BAD_REQUEST in one line for an invalid one.
 */
export async function readAppManifest(folder: string): Promise<Manifest> {
  const isPublic = !existsSync(join(folder, 'gadget.json')) && existsSync(join(folder, 'public', 'gadget.json'));
  return readManifest(isPublic ? join(folder, 'public') : folder, [folder, join(folder, 'public')]);
}

/**
 * Lists the pages that a manifest names, each once.
 *
 * @example
 * const manifest = await readAppManifest('demo/apps/notes');
 * pagesOf(manifest); // ['index.html', 'preferences.html']
 */
export function pagesOf({ page, views }: Manifest): readonly string[] {
  return [...new Set([page, ...Object.values(views ?? {})])];
}
