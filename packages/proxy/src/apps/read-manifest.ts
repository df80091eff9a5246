import { stat } from 'node:fs/promises';
import { normalize } from 'node:path';
import { openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { jsonProblem } from './json-problem.ts';
import { checkManifest, type Manifest, manifestTooLarge, maxManifestBytes } from './manifest.ts';
import { isServed } from './served-files.ts';

/**
 * Reads and validates the `gadget.json` of an app's folder.
 *
 * @param pagesIn Folders of which one must have each page. Default: that of the manifest.
 * @throws SocialError BAD_REQUEST for a file or page that is missing, and as `checkManifest`.
 */
export async function readManifest(folder: string, pagesIn: readonly string[] = [folder]): Promise<Manifest> {
  const text = (await readText(folder)).replace(/^\uFEFF/, '');
  const bad = jsonProblem(text);
  if (bad) throw new SocialError('BAD_REQUEST', `gadget.json:${bad.line}:${bad.column} is not JSON: ${bad.problem}.`);
  const manifest = checkManifest(JSON.parse(text));
  for (const [name, file] of Object.entries({ page: manifest.page, ...manifest.views })) {
    const member = name === 'page' ? name : `views.${name}`;
    if (!isServed(normalize(file).replaceAll('\\', '/'))) {
      throw new SocialError('BAD_REQUEST', `gadget.json: ${member} names ${file}, which is not served to members.`);
    }
    if (!(await isThere(file, pagesIn))) {
      throw new SocialError('BAD_REQUEST', `gadget.json: ${member} names ${file}, which is missing in ${folder}.`);
    }
  }
  return manifest;
}

async function isThere(file: string, folders: readonly string[]): Promise<boolean> {
  for (const below of folders) {
    const opened = await openFile(file, { below });
    await opened?.close();
    if (opened) return true;
  }
  return false;
}

async function readText(folder: string): Promise<string> {
  const file = await openFile('gadget.json', { below: folder });
  if (!file) {
    const isFolder = await stat(folder).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    const problem = isFolder ? `gadget.json is missing in ${folder}.` : `There is no folder ${folder}.`;
    throw new SocialError('BAD_REQUEST', problem);
  }
  if (file.size <= maxManifestBytes) return (await file.read()).toString();
  await file.close();
  throw manifestTooLarge();
}
