import { stat } from 'node:fs/promises';
import { openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { iconProblem, maxIconBytes } from './app-icon.ts';
import { jsonProblem } from './json-problem.ts';
import { checkManifest, type Manifest, manifestTooLarge, maxManifestBytes } from './manifest.ts';

/** The files that a manifest is read from and may name: a folder, or a list of a version. */
export interface ManifestFiles {
  /** Name of the whole, as the end of "is missing in …". */
  readonly place: string;
  /** Reads the beginning of a file. Resolves with `undefined` if there is none. */
  readStart(path: string, mostBytes: number): Promise<{ readonly size: number; readonly content: Buffer } | undefined>;
}

/**
 * Reads and validates the `gadget.json` of an app's folder.
 *
 * @param pagesIn Folders of which one must have each page. Default: that of the manifest.
 * @throws SocialError BAD_REQUEST for a file that is missing or no icon, and as `checkManifest`.
 */
export async function readManifest(folder: string, pagesIn: readonly string[] = [folder]): Promise<Manifest> {
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new SocialError('BAD_REQUEST', `There is no folder ${folder}.`);
  return manifestIn(filesIn([folder], folder), filesIn(pagesIn, folder));
}

/**
 * Reads and validates the `gadget.json` among some files.
 *
 * @param pages Files that must have its pages and icon. Default: the same.
 * @throws SocialError BAD_REQUEST for a file that is missing or no icon, and as `checkManifest`.
 */
export async function manifestIn(files: ManifestFiles, pages: ManifestFiles = files): Promise<Manifest> {
  const { place } = files;
  const text = (await readText(files)).replace(/^\uFEFF/, '');
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
    const found = await pages.readStart(file, member === 'icon' ? maxIconBytes : 0);
    if (!found) {
      throw new SocialError('BAD_REQUEST', `gadget.json: ${member} names ${file}, which is missing in ${place}.`);
    }
    const problem = member === 'icon' && iconProblem({ path: file, ...found });
    if (problem) throw new SocialError('BAD_REQUEST', `gadget.json: icon must be ${problem}.`);
  }
  return manifest;
}

function filesIn(folders: readonly string[], place: string): ManifestFiles {
  return {
    place,
    async readStart(path, mostBytes) {
      for (const below of folders) {
        const file = await openFile(path, { below });
        if (file) return { size: file.size, content: await file.readStart(mostBytes) };
      }
      return undefined;
    },
  };
}

async function readText({ place, readStart }: ManifestFiles): Promise<string> {
  const file = await readStart('gadget.json', maxManifestBytes);
  if (!file) throw new SocialError('BAD_REQUEST', `gadget.json is missing in ${place}.`);
  if (file.size > maxManifestBytes) throw manifestTooLarge();
  return file.content.toString();
}
