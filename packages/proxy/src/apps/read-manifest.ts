import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SocialError } from '@gantry/wire';
import { jsonProblem } from './json-problem.ts';
import { checkManifest, type Manifest, manifestTooLarge, maxManifestBytes } from './manifest.ts';

/**
 * Reads and validates the `gadget.json` of an app's folder.
 *
 * @example
 * await readManifest('/nowhere'); // throws gadget.json is missing in /nowhere.
 * @param pagesIn Folders of which one must have each page. Default: that of the manifest.
 * @throws SocialError BAD_REQUEST for a file or page that is missing, and as `checkManifest`.
 */
export async function readManifest(folder: string, pagesIn: readonly string[] = [folder]): Promise<Manifest> {
  const text = (await readText(folder)).replace(/^\uFEFF/, '');
  const bad = jsonProblem(text);
  if (bad) throw new SocialError('BAD_REQUEST', `gadget.json:${bad.line}:${bad.column} is not JSON: ${bad.problem}.`);
  const manifest = checkManifest(JSON.parse(text));
  for (const [name, file] of Object.entries({ page: manifest.page, ...manifest.views })) {
    await Promise.any(pagesIn.map((place) => access(join(place, file)))).catch((cause) => {
      const member = name === 'page' ? name : `views.${name}`;
      const message = `gadget.json: ${member} names ${file}, which is missing in ${folder}.`;
      throw new SocialError('BAD_REQUEST', message, { cause });
    });
  }
  return manifest;
}

async function readText(folder: string): Promise<string> {
  const file = join(folder, 'gadget.json');
  try {
    const { size } = await stat(file);
    if (size > maxManifestBytes) throw manifestTooLarge();
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof SocialError) throw cause;
    throw new SocialError('BAD_REQUEST', `gadget.json is missing in ${folder}.`, { cause });
  }
}
