import { stat } from 'node:fs/promises';
import { type OpenFile, openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { iconProblem, maxIconBytes } from './app-icon.ts';
import { jsonProblem } from './json-problem.ts';
import { checkManifest, type Manifest, manifestTooLarge, maxManifestBytes } from './manifest.ts';

/**
 * Reads and validates the `gadget.json` of an app's folder.
 *
 * @param pagesIn Folders of which one must have each page. Default: that of the manifest.
 * @throws SocialError BAD_REQUEST for a file that is missing or no icon, and as `checkManifest`.
 */
export async function readManifest(folder: string, pagesIn: readonly string[] = [folder]): Promise<Manifest> {
  const text = (await readText(folder)).replace(/^\uFEFF/, '');
  const bad = jsonProblem(text);
  if (bad) throw new SocialError('BAD_REQUEST', `gadget.json:${bad.line}:${bad.column} is not JSON: ${bad.problem}.`);
  const manifest = checkManifest(JSON.parse(text));
  const { page, views = {}, icon } = manifest;
  const named: (readonly [member: string, file: string])[] = [
    ['page', page],
    ...Object.entries(views).map(([view, file]) => [`views.${view}`, file] as const),
    ...(icon === undefined ? [] : [['icon', icon] as const]),
  ];
  for (const [member, file] of named) {
    const opened = await openIn(pagesIn, file);
    if (!opened) {
      throw new SocialError('BAD_REQUEST', `gadget.json: ${member} names ${file}, which is missing in ${folder}.`);
    }
    const content = await opened.readStart(member === 'icon' ? maxIconBytes : 0);
    const problem = member === 'icon' && iconProblem({ path: file, size: opened.size, content });
    if (problem) throw new SocialError('BAD_REQUEST', `gadget.json: icon must be ${problem}.`);
  }
  return manifest;
}

async function openIn(folders: readonly string[], file: string): Promise<OpenFile | undefined> {
  for (const below of folders) {
    const opened = await openFile(file, { below });
    if (opened) return opened;
  }
  return undefined;
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
